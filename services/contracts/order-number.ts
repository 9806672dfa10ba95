import * as z from 'zod/mini';
import { plainText } from './plain-text.ts';

/**
 * The digits of Crockford's base32. I, L and O are left out because they look like digits, and U is left out because it
 * can form offensive words.
 */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const OLD_DIGITS = 7;

/**
 * The number that people use for an order: `MC-1042`, or `MC-X` followed by seven characters if the order was placed
 * before orders had numbers.
 */
export const orderNumberSchema = z.string().check(z.regex(/^MC-([1-9]\d{3,}|X[0-9A-HJKMNP-TV-Z]{7})$/));

/**
 * Parses a typed or scanned order number, in upper or lower case, with Latin or Bengali digits. Returns undefined if
 * the text isn't an order number.
 */
export const readOrderNumber = (text: string): string | undefined =>
  orderNumberSchema.safeParse(plainText(text).trim().toUpperCase()).data;

export function orderNumber(count: number): string {
  return `MC-${count}`;
}

/**
 * Returns the number of an order that was placed before orders had numbers. The number is derived from the last 35 bits
 * of the order's id (PRJ2), and never equals a later order's number. Among 100,000 such orders, the odds that any two
 * share a number are 1 in 7. A search for a shared number finds both orders.
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

/** Returns an order's number, even if an older version of the shop saved the order's document without a number. */
export function orderNumberOf({ id, number }: { readonly id: string; readonly number?: string }): string {
  return number ?? oldOrderNumber(id);
}
