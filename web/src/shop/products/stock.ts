import type { ProductView } from '@micro-center/services/contracts/views.ts';

/** So few that a shopper should know before going on. */
const SCARCE = 5;

/** Whether the stock still covers the smallest order that is taken; otherwise the product counts as sold out. */
export function isBuyable({ quantity, minorder }: Pick<ProductView, 'quantity' | 'minorder'>): boolean {
  return quantity > 0 && quantity >= minorder;
}

/** What is worth saying about the stock beside its figure; null where there is plenty. */
export function stockWarning(product: Pick<ProductView, 'quantity' | 'minorder'>): string | null {
  if (!isBuyable(product)) return 'Sold out';
  return product.quantity <= SCARCE ? `Only ${product.quantity} left` : null;
}
