import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { shopApi } from '../../api/shop-api.ts';
import type { LiveList } from '../../live/apply-push.ts';
import { liveEntry, liveList } from '../../live/follow-pushes.ts';
import { type CatalogueFilter, isFound } from './catalogue-filter.ts';

/** How long an unused product list stays cached, in seconds: most pages need it, and pushes keep it current. */
const KEEP_PRODUCTS = 600;

/** The part of the filter that the server applies. Other orders than newest first are sorted here (LIST1). */
export type ProductSearch = Pick<CatalogueFilter, 'q' | 'inStock'>;

export const catalogueApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** The products that a search finds, newest first; without one all. */
    // biome-ignore lint/suspicious/noConfusingVoidType: RTK Query takes `void` for an argument that may be left out
    listProducts: build.query<LiveList<ProductView>, ProductSearch | void>({
      ...liveList('product', {
        path: () => '/products',
        // biome-ignore lint/suspicious/noConfusingVoidType: as above
        params: (search: ProductSearch | void) => ({
          q: search?.q || undefined,
          inStock: search?.inStock ? 1 : undefined,
        }),
        fits: (product, search) => !search || isFound(product, search),
      }),
      keepUnusedDataFor: KEEP_PRODUCTS,
    }),
    getProduct: build.query<ProductView, string>(
      liveEntry('product', { id: (id: string) => id, path: (id) => `/products/${encodeURIComponent(id)}` }),
    ),
  }),
});

export const { useListProductsQuery, useGetProductQuery } = catalogueApi;
