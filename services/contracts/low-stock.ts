import type { ProductView } from './views.ts';

export const LEAST_STOCK = 5;

/** Fewer than five are left, or too few for two orders of the smallest quantity. */
export function isLowOnStock({ quantity, minorder }: Pick<ProductView, 'quantity' | 'minorder'>): boolean {
  return quantity < Math.max(LEAST_STOCK, 2 * minorder);
}
