import {
  type Created,
  createdSchema,
  type Deleted,
  deletedSchema,
  type Updated,
  updatedSchema,
} from '@micro-center/services/contracts/answers.ts';
import type { NewProduct } from '@micro-center/services/contracts/product/product-form.ts';
import type { ProductChanges } from '@micro-center/services/contracts/product/product-requests.ts';
import { isLowStock } from '@micro-center/services/contracts/product/stock.ts';
import { isFoundBy, searchTexts } from '@micro-center/services/contracts/search-text.ts';
import { postOnce } from '../../api/idempotency-key.ts';
import { shopApi, withQuery } from '../../api/shop-api.ts';
import { endsDocument, refetchUnlessLive } from '../../live/after-command.ts';
import { liveList } from '../../live/follow.ts';

/**
 * The products in the shop, newest first. If `q` is given, only those that match this search. If `lowStock` is true,
 * only those whose stock is low.
 */
export const productsManaged = (q: string | undefined, lowStock: boolean) =>
  liveList(
    'product',
    withQuery('/products', { q, stock: lowStock ? 'low' : undefined }),
    (product) => (!lowStock || isLowStock(product)) && (q === undefined || isFoundBy(searchTexts.product(product), q)),
  );

const productPath = (id: string) => `/products/${encodeURIComponent(id)}`;

const adminProductsApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Adds a product. A retry with the same `key` doesn't add it again. */
    addProduct: build.mutation<Created, { key: string; product: NewProduct }>({
      query: ({ key, product }) => postOnce('/products', key, product),
      responseSchema: createdSchema,
      onQueryStarted: refetchUnlessLive('product'),
    }),
    /**
     * Changes the given fields of a product. A new stock count must be sent with the product version that the admin
     * saw, and is refused if that version is stale.
     */
    changeProduct: build.mutation<Updated, { id: string; changes: ProductChanges }>({
      query: ({ id, changes }) => ({ path: productPath(id), method: 'PUT', body: changes }),
      responseSchema: updatedSchema,
      onQueryStarted: refetchUnlessLive('product'),
    }),
    /** Removes a product from the shop permanently. */
    deleteProduct: build.mutation<Deleted, string>({
      query: (id) => ({ path: productPath(id), method: 'DELETE' }),
      responseSchema: deletedSchema,
      onQueryStarted: endsDocument('product'),
    }),
  }),
});

export const { useAddProductMutation, useChangeProductMutation, useDeleteProductMutation } = adminProductsApi;
