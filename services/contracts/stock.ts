import type { ProductView } from './views.ts';

type Stocked = Pick<ProductView, 'quantity' | 'minorder'>;

/** The least stock that is never low, whatever the minimum order. */
export const ENOUGH_STOCK = 5;
/** How many of its smallest orders a product has to have in stock. */
export const ENOUGH_ORDERS = 2;

/** Whether a product should be restocked: it has no five, or does not last for two of its smallest orders. */
export function isLowStock({ quantity, minorder }: Stocked): boolean {
  return quantity < Math.max(ENOUGH_STOCK, ENOUGH_ORDERS * minorder);
}
