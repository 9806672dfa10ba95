import { MAX_TOTAL_TAKA, toPoisha, totalTaka } from '@micro-center/services/contracts/money.ts';
import { PROBLEMS } from '@micro-center/services/contracts/problems.ts';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { formatTaka } from '../../ui/format.ts';

/** The value of a quantity field: a whole number, or the text in the field if it isn't a whole number. */
export type Quantity = number | string;

/** Whether the quantity is a whole number that is at least the minimum order and at most the stock (P2). */
export function quantityFits(quantity: Quantity, { minorder, quantity: stock }: ProductView): quantity is number {
  return typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= minorder && quantity <= stock;
}

/**
 * Returns an error message if the quantity is above the stock or below the minimum order, and null otherwise. The form
 * shows this message while the shopper types. The message that the specification requires mentions only the minimum,
 * and is shown only when the form is submitted.
 */
export function outOfRange(quantity: Quantity, { minorder, quantity: stock }: ProductView): string | null {
  if (typeof quantity !== 'number') return null;
  if (quantity > stock) return `Only ${stock} ${stock === 1 ? 'is' : 'are'} in stock.`;
  return quantity < minorder ? `The minimum order is ${minorder}.` : null;
}

/** Returns why this quantity can't be paid for, or null if it can. `minimum` is the smallest card payment, in taka. */
export function unpayable(quantity: number, { price, quantity: stock }: ProductView, minimum: number): string | null {
  const total = totalTaka(toPoisha(price), quantity);
  if (total > MAX_TOTAL_TAKA) return PROBLEMS.total_too_large.title;
  if (total >= minimum) return null;
  const enough = Math.ceil((minimum * 100) / toPoisha(price));
  const instead = enough <= stock ? `Order ${enough} or more.` : 'Everything in stock costs less than that.';
  return `A card payment is at least ${formatTaka(minimum)}. ${instead}`;
}

/**
 * Returns the form's error message for this quantity, or null if the quantity is valid. `minimum` has the same meaning
 * as in `unpayable`.
 */
export function quantityProblem(quantity: Quantity, product: ProductView, minimum: number): string | null {
  if (quantity === '') return 'Enter a quantity.';
  if (!quantityFits(quantity, product)) return PROBLEMS.quantity_out_of_range.title;
  return unpayable(quantity, product, minimum);
}

/**
 * Whether an order of this quantity takes so much of the stock that the shop holds the goods for less than the usual
 * time (ORD6).
 */
export const isScarce = (quantity: number, { minorder, quantity: stock }: ProductView): boolean =>
  quantity > stock / 2 && quantity > minorder;
