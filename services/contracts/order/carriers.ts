import * as z from 'zod/mini';

/**
 * The carriers, keyed by the code stored in events. Never remove a carrier, because old events refer to its code.
 * `link` is the URL of the parcel's tracking page, with `#` in place of the tracking number. If the carrier has no such
 * URL, `link` is the page where the customer enters the number.
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

/** The tracking number as printed on the label. */
export const trackingNumberSchema = z
  .string()
  .check(
    z.trim(),
    z.regex(/^[A-Za-z0-9-]{3,40}$/, { message: 'A tracking number has 3 to 40 letters, digits and hyphens.' }),
  );

/**
 * Returns the URL of the carrier's page for a parcel. A tracking number consists of letters, digits and hyphens, so
 * inserting it can't make the link lead to another site.
 */
export function parcelLink(carrier: Carrier, trackingNumber: string): string {
  return CARRIERS[carrier].link.replace('#', trackingNumber);
}
