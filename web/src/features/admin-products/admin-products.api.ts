import {
  type Created,
  createdSchema,
  type Deleted,
  deletedSchema,
  type NewProduct,
  type ProductChanges,
  type Updated,
  updatedSchema,
} from '@micro-center/services/contracts/http.ts';
import { isFoundBy, searchTexts } from '@micro-center/services/contracts/search-text.ts';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { shopApi } from '../../api/shop-api.ts';
import { endsDocument, refetchUnlessLive } from '../../live/after-command.ts';
import type { LiveList } from '../../live/apply-push.ts';
import { liveList } from '../../live/follow-pushes.ts';

const productPath = (id: string) => `/products/${encodeURIComponent(id)}`;

export const adminProductsApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** The products that hold `q` in their words, newest first. */
    searchProducts: build.query<LiveList<ProductView>, { q?: string | undefined }>(
      liveList('product', {
        path: () => '/products',
        params: ({ q }: { q?: string | undefined }) => ({ q }),
        fits: (product, { q }) => q === undefined || isFoundBy(searchTexts.product(product), q),
      }),
    ),
    /** `key` makes a repeat of the same submission add one product. */
    addProduct: build.mutation<Created, { key: string; product: NewProduct }>({
      query: ({ key, product }) => ({
        path: '/products',
        method: 'POST',
        body: product,
        headers: { 'idempotency-key': key },
      }),
      responseSchema: createdSchema,
      onQueryStarted: refetchUnlessLive('product'),
    }),
    /** Changes the fields that are given; a new stock is refused where it was not the newest that was seen. */
    changeProduct: build.mutation<Updated, { id: string; changes: ProductChanges }>({
      query: ({ id, changes }) => ({ path: productPath(id), method: 'PUT', body: changes }),
      responseSchema: updatedSchema,
      onQueryStarted: refetchUnlessLive('product'),
    }),
    /** Takes a product out of the shop for good. */
    deleteProduct: build.mutation<Deleted, string>({
      query: (id) => ({ path: productPath(id), method: 'DELETE' }),
      responseSchema: deletedSchema,
      onQueryStarted: endsDocument('product'),
    }),
  }),
});

export const { useSearchProductsQuery, useAddProductMutation, useChangeProductMutation, useDeleteProductMutation } =
  adminProductsApi;
