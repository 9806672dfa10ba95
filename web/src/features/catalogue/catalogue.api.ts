import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { shopApi } from '../../api/shop-api.ts';
import type { LiveList } from '../../live/apply-push.ts';
import { liveEntry, liveList } from '../../live/follow-pushes.ts';

/** How long an unused product list stays: it is what most pages begin with, and pushes keep it right. In seconds. */
const KEEP_PRODUCTS = 600;

export const catalogueApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** All products, newest first. */
    listProducts: build.query<LiveList<ProductView>, void>({
      ...liveList('product', { path: () => '/products', fits: () => true }),
      keepUnusedDataFor: KEEP_PRODUCTS,
    }),
    getProduct: build.query<ProductView, string>(
      liveEntry('product', { id: (id: string) => id, path: (id) => `/products/${encodeURIComponent(id)}` }),
    ),
  }),
});

export const { useListProductsQuery, useGetProductQuery } = catalogueApi;
