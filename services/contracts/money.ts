import * as z from 'zod/mini';

/** ISO 4217 code of the shop's only currency, in the lower case that Stripe uses. */
export const CURRENCY = 'bdt';

/** The largest total of one order, in whole taka: Stripe takes at most 99,999,999 poisha. */
export const MAX_TOTAL_TAKA = 999_999;

/** The smallest price in taka: one poisha. */
const MIN_PRICE_TAKA = 0.01;

/** A price in taka with at most two decimals, as bodies and views carry it. */
export const takaSchema = z.number().check(
  z.minimum(MIN_PRICE_TAKA),
  z.maximum(MAX_TOTAL_TAKA),
  z.refine((taka) => Math.abs(taka * 100 - Math.round(taka * 100)) < 1e-6, {
    message: 'A price has at most two decimals.',
  }),
);

/** Turns taka (at most two decimals) into whole poisha, the unit that events and Stripe use. */
export function toPoisha(taka: number): number {
  return Math.round(taka * 100);
}

/** Turns whole poisha into taka with at most two decimals. */
export function toTaka(poisha: number): number {
  return poisha / 100;
}

/** The total of an order in whole taka: unit price (poisha) x quantity, cut, never rounded up. */
export function totalTaka(pricePoisha: number, quantity: number): number {
  return Math.trunc((pricePoisha * quantity) / 100);
}
