import type { ProductView } from './product-view.ts';

type Stocked = Pick<ProductView, 'quantity' | 'minorder'>;

/** Stock below this number is always low, whatever the product's minimum order. */
export const ENOUGH_STOCK = 5;
/** Stock is low if it covers fewer than this many orders of the minimum size. */
export const ENOUGH_ORDERS = 2;

/**
 * Returns true if a product should be restocked: fewer than 5 pieces are left, or too few for two orders of the minimum
 * size.
 */
export function isLowStock({ quantity, minorder }: Stocked): boolean {
  return quantity < Math.max(ENOUGH_STOCK, ENOUGH_ORDERS * minorder);
}
