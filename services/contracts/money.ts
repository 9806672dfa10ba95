import * as z from 'zod/mini';

/** The shop's currency: an ISO 4217 code in lower case, as Stripe writes it. */
export const CURRENCY = 'bdt';

/** The largest order total, in taka. Stripe accepts at most 99,999,999 poisha. */
export const MAX_TOTAL_TAKA = 999_999;

const MIN_PRICE_TAKA = 0.01;

export const takaSchema = z.number().check(
  z.minimum(MIN_PRICE_TAKA),
  z.maximum(MAX_TOTAL_TAKA),
  z.refine((taka) => Math.abs(taka * 100 - Math.round(taka * 100)) < 1e-6, {
    message: 'A price has at most two decimals.',
  }),
);

/** Prices and payments are in poisha in events and in Stripe. In request bodies and views, they are in taka. */
export function toPoisha(taka: number): number {
  return Math.round(taka * 100);
}

export function toTaka(poisha: number): number {
  return poisha / 100;
}

/** Returns price x quantity in whole taka, rounded down. Unlike prices, an order's total is in whole taka even in events. */
export function totalTaka(pricePoisha: number, quantity: number): number {
  return Math.trunc((pricePoisha * quantity) / 100);
}
