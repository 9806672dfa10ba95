import * as z from 'zod/mini';
import { plainText } from '../plain-text.ts';

/** The number that people use for an order, such as `MC-1042`. */
export const orderNumberSchema = z.string().check(z.regex(/^MC-[1-9]\d{3,}$/));

/**
 * Parses a typed or scanned order number, in upper or lower case, with Latin or Bengali digits. Returns undefined if
 * the text isn't an order number.
 */
export const readOrderNumber = (text: string): string | undefined =>
  orderNumberSchema.safeParse(plainText(text).trim().toUpperCase()).data;

export function orderNumber(count: number): string {
  return `MC-${count}`;
}
