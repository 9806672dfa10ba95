import { type Created, createdSchema, type Deleted, deletedSchema } from '@micro-center/services/contracts/answers.ts';
import type { NewProduct } from '@micro-center/services/contracts/forms.ts';
import { shopApi } from '../../api/shop-api.ts';
import { endsDocument, refetchUnlessLive } from '../../live/after-command.ts';

const adminProductsApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
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
    /** Takes a product out of the shop for good. */
    deleteProduct: build.mutation<Deleted, string>({
      query: (id) => ({ path: `/products/${encodeURIComponent(id)}`, method: 'DELETE' }),
      responseSchema: deletedSchema,
      onQueryStarted: endsDocument('product'),
    }),
  }),
});

export const { useAddProductMutation, useDeleteProductMutation } = adminProductsApi;
