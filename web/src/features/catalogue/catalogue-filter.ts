import { productQuerySchema } from '@micro-center/services/contracts/http.ts';
import { isFoundBy, searchTexts } from '@micro-center/services/contracts/search-text.ts';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { z } from 'zod';

const { q, order, inStock } = productQuerySchema.shape;

/** What the address may say of the catalogue, in the words of `GET /products`. What is no such word counts as left out. */
const addressSchema = z.object({
  q: q.catch(undefined),
  order: order.catch(undefined),
  inStock: inStock.catch(undefined),
});

export type ProductOrder = NonNullable<z.infer<typeof order>>;

/** What All Items shows, and in which order; `order` undefined is newest first. */
export interface CatalogueFilter {
  q: string;
  inStock: boolean;
  order: ProductOrder | undefined;
}

export function readFilter(address: URLSearchParams): CatalogueFilter {
  const read = addressSchema.parse(Object.fromEntries(address));
  return { q: read.q ?? '', inStock: read.inStock ?? false, order: read.order };
}

/** `address` with `filter` in it; defaults are left out, and what else it says stays. */
export function writeFilter(address: URLSearchParams, filter: CatalogueFilter): URLSearchParams {
  const written = new URLSearchParams(address);
  const words = { q: filter.q, order: filter.order ?? '', inStock: filter.inStock ? '1' : '' };
  for (const [name, value] of Object.entries(words)) {
    if (value === '') written.delete(name);
    else written.set(name, value);
  }
  return written;
}

/** Whether a product is among those that the server finds. */
export function isFound(product: ProductView, { q, inStock }: Pick<CatalogueFilter, 'q' | 'inStock'>): boolean {
  return !(inStock && product.quantity === 0) && isFoundBy(searchTexts.product(product), q);
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const COMPARE: Record<ProductOrder, (one: ProductView, other: ProductView) => number> = {
  price: (one, other) => one.price - other.price,
  '-price': (one, other) => other.price - one.price,
  name: (one, other) => names.compare(one.name, other.name),
};

/** The products in `order`; what is alike stays newest first, as it comes. */
export function inOrder(products: readonly ProductView[], order: ProductOrder | undefined): readonly ProductView[] {
  return order === undefined ? products : products.toSorted(COMPARE[order]);
}
