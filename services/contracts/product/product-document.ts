import type { DocumentBase } from '../document-base.ts';
import type { ProductDetails } from './product-events.ts';

/** A product, with its price in poisha. A removed product stays as a tombstone (PRJ5). */
export interface ProductDocument extends DocumentBase, Readonly<ProductDetails> {
  readonly kind: 'product';
  readonly quantity: number;
  readonly removed: boolean;
}
