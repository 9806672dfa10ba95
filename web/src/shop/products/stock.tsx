import { Badge } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';

/** Shoppers see a warning when the stock is at or below this level. */
const SCARCE = 5;

/** Whether the stock covers the minimum order. If not, the product counts as sold out. */
export function isBuyable({ quantity, minorder }: Pick<ProductView, 'quantity' | 'minorder'>): boolean {
  return quantity > 0 && quantity >= minorder;
}

/** Returns a warning if the product is sold out or running low. Otherwise returns null. */
export function stockWarning(product: Pick<ProductView, 'quantity' | 'minorder'>): string | null {
  if (!isBuyable(product)) return 'Sold out';
  return product.quantity <= SCARCE ? `Only ${product.quantity} left` : null;
}

/** A badge for a product that is sold out or running low. */
export function StockBadge({ product }: { product: ProductView }) {
  const warning = stockWarning(product);
  if (warning === null) return null;
  return (
    <Badge color={isBuyable(product) ? 'yellow' : 'gray'} flex="none">
      {warning}
    </Badge>
  );
}
