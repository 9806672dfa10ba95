import { type ProductView, productViewSchema } from '@micro-center/services/contracts/product/product-view.ts';
import { isFoundBy, searchTexts } from '@micro-center/services/contracts/search-text.ts';
import * as z from 'zod/mini';
import { withQuery } from '../../api/shop-api.ts';
import { liveList } from '../../live/follow.ts';
import { liveAnswer, liveEntry } from '../../live/live-document.ts';

export const productWith = (id: string) => liveEntry('product', id, `/products/${encodeURIComponent(id)}`);

/**
 * The buyable products that are most similar to the given product, which may itself have been removed. They aren't
 * fetched again after a push, because they are only suggestions.
 */
export const productsLike = (id: string) =>
  liveAnswer('product', `/similar?product=${encodeURIComponent(id)}`, z.array(productViewSchema), () => false);

/** How long an unused product list stays cached, in seconds. Most pages need such a list, and pushes keep it current. */
const KEEP_PRODUCTS = 600;

/**
 * The part of the catalogue's filter that the server applies. The server sorts products newest first, and the client
 * does any other sorting (LIST1).
 */
export interface ProductSearch {
  q: string;
  inStock: boolean;
}

/** Whether the server's search would find this product. */
export function isFound(product: ProductView, { q, inStock }: ProductSearch): boolean {
  return !(inStock && product.quantity === 0) && isFoundBy(searchTexts.product(product), q);
}

/** The products that match a search, newest first. An empty search matches all products. */
export function productsFound(search: ProductSearch = { q: '', inStock: false }) {
  const params = { q: search.q || undefined, inStock: search.inStock ? 1 : undefined };
  return liveList('product', withQuery('/products', params), (product) => isFound(product, search), {
    keepFor: KEEP_PRODUCTS,
  });
}
