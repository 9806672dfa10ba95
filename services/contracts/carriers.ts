import * as z from 'zod/mini';

/**
 * Who carries parcels, by the code that events keep: none is ever taken out. `link` leads to a parcel where `#` is its number,
 * or to the page where its number is typed.
 */
export const CARRIERS = {
  pathao: { name: 'Pathao', link: 'https://merchant.pathao.com/tracking?consignment_id=#' },
  steadfast: { name: 'Steadfast', link: 'https://steadfast.com.bd/t/#' },
  redx: { name: 'RedX', link: 'https://redx.com.bd/track-parcel/?trackingId=#' },
  sundarban: { name: 'Sundarban', link: 'https://sundarbancourierltd.com/' },
  ecourier: { name: 'eCourier', link: 'https://ecourier.com.bd/' },
  dhl: { name: 'DHL', link: 'https://www.dhl.com/bd-en/home/tracking.html?tracking-id=#' },
  fedex: { name: 'FedEx', link: 'https://www.fedex.com/fedextrack/?trknbr=#' },
} as const satisfies Record<string, { name: string; link: `https://${string}` }>;

export type Carrier = keyof typeof CARRIERS;
export const carrierSchema = z.enum(Object.keys(CARRIERS) as [Carrier, ...Carrier[]]);

/** As printed on the label. */
export const trackingNumberSchema = z
  .string()
  .check(
    z.trim(),
    z.regex(/^[A-Za-z0-9-]{3,40}$/, { message: 'A tracking number has 3 to 40 letters, digits and hyphens.' }),
  );

/** Where a parcel is followed at its carrier's. Never a typed address: the number alone is put in, and it holds no other characters. */
export function parcelLink(carrier: Carrier, trackingNumber: string): string {
  return CARRIERS[carrier].link.replace('#', trackingNumber);
}
