import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { LONGEST_SEARCH, PRODUCT_ORDERS } from '@micro-center/services/contracts/search-text.ts';
import type { ProductSearch } from '../../shop/products/product.api.ts';

export type ProductOrder = (typeof PRODUCT_ORDERS)[number];

/** The filter and the sort order of the All Items page. If `order` is undefined, the newest products come first. */
export interface CatalogueFilter extends ProductSearch {
  order: ProductOrder | undefined;
}

/**
 * Reads the filter from the page's URL. The parameters have the same names as those of `GET /products`. Invalid values
 * are ignored.
 */
export function readFilter(address: URLSearchParams): CatalogueFilter {
  const q = address.get('q')?.trim() ?? '';
  return {
    q: q.length > LONGEST_SEARCH ? '' : q,
    order: PRODUCT_ORDERS.find((order) => order === address.get('order')),
    inStock: ['1', 'true'].includes(address.get('inStock') ?? ''),
  };
}

/** Returns `address` with `filter` set. Default values are omitted, and other parameters are kept. */
export function writeFilter(address: URLSearchParams, filter: CatalogueFilter): URLSearchParams {
  const written = new URLSearchParams(address);
  const words = { q: filter.q, order: filter.order ?? '', inStock: filter.inStock ? '1' : '' };
  for (const [name, value] of Object.entries(words)) {
    if (value === '') written.delete(name);
    else written.set(name, value);
  }
  return written;
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const COMPARE: Record<ProductOrder, (one: ProductView, other: ProductView) => number> = {
  price: (one, other) => one.price - other.price,
  '-price': (one, other) => other.price - one.price,
  name: (one, other) => names.compare(one.name, other.name),
};

/** Returns the products sorted by `order`. Products that compare equal stay newest first. */
export function inOrder(products: readonly ProductView[], order: ProductOrder | undefined): readonly ProductView[] {
  return order === undefined ? products : products.toSorted(COMPARE[order]);
}
