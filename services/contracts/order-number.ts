import * as z from 'zod/mini';

/** Crockford's base32: without I, L, O and U, which are misread and misheard. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const OLD_DIGITS = 7;

/** What people call an order by: `MC-1042`, or `MC-X` and seven characters where the order is older than these numbers. */
export const orderNumberSchema = z.string().check(z.regex(/^MC-([1-9]\d{3,}|X[0-9A-HJKMNP-TV-Z]{7})$/));

/** The order number that people typed or scanned, in whatever case; undefined where it is none. */
export const readOrderNumber = (text: string): string | undefined =>
  orderNumberSchema.safeParse(text.trim().toUpperCase()).data;

export function orderNumber(count: number): string {
  return `MC-${count}`;
}

/**
 * The number of an order that was placed before orders had numbers, made of the last 35 bits of its id (PRJ2). It is never a
 * later order's. Of 100,000 such orders two share one in 1 shop of 7; both are then found by it.
 */
export function oldOrderNumber(orderId: string): string {
  let rest = Number.parseInt(orderId.slice(-9), 16);
  let digits = '';
  for (let place = 0; place < OLD_DIGITS; place += 1) {
    digits = `${DIGITS[rest % DIGITS.length]}${digits}`;
    rest = Math.floor(rest / DIGITS.length);
  }
  return `MC-X${digits}`;
}

export function isOldOrderNumber(number: string): boolean {
  return number.startsWith('MC-X');
}

/** The number of an order by its document, which an older version may have saved without. */
export function orderNumberOf({ id, number }: { readonly id: string; readonly number?: string }): string {
  return number ?? oldOrderNumber(id);
}
