import { Badge } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { isBuyable, stockWarning } from './stock.ts';

/** Stands beside the price where a product is sold out or about to be. */
export function StockBadge({ product }: { product: ProductView }) {
  const warning = stockWarning(product);
  if (warning === null) return null;
  return (
    <Badge color={isBuyable(product) ? 'yellow' : 'gray'} variant="light" size="md" flex="none">
      {warning}
    </Badge>
  );
}
