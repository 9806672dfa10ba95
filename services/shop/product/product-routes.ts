import { z } from 'zod';
import { createdSchema, deletedSchema, updatedSchema } from '../../contracts/answers.ts';
import { toPoisha } from '../../contracts/money.ts';
import type { ProductDetails } from '../../contracts/product/product-events.ts';
import { type NewProduct, newProductSchema } from '../../contracts/product/product-form.ts';
import {
  type ProductChanges,
  productByNameQuerySchema,
  productChangesSchema,
  productQuerySchema,
  similarQuerySchema,
} from '../../contracts/product/product-requests.ts';
import { productViewSchema } from '../../contracts/product/product-view.ts';
import { created, deleted, updated } from '../../http/answers.ts';
import { documentTarget } from '../../http/document-target.ts';
import { RequestRefused } from '../../http/problem-details.ts';
import { CachedResponse, cachedListPage, throughCache } from '../../http/response-cache.ts';
import { commandMeta, defineRoute, type Route } from '../../http/route.ts';
import { productDecider } from './decide-product.ts';
import { productList, productsNamed } from './product-documents.ts';
import { productView } from './product-view.ts';
import { mostLike } from './similar-products.ts';

/** Also finds removed products. */
const target = documentTarget('product');

const listProducts = defineRoute({
  method: 'GET',
  path: '/products',
  summary: 'Lists the products in the catalogue',
  access: 'public',
  query: productQuerySchema,
  answer: { status: 200, schema: z.array(productViewSchema) },
  problems: ['overloaded'],
  serve: (shop, { query, url }) => cachedListPage(shop, { query: productList(query), view: productView }, query, url),
});

const productsByName = defineRoute({
  method: 'GET',
  path: '/product',
  summary: 'Lists the products with exactly the given name',
  access: 'public',
  query: productByNameQuerySchema,
  answer: { status: 200, schema: z.array(productViewSchema) },
  async serve(shop, { query }) {
    await shop.readYourWrites.caughtUp('product');
    return { body: (await shop.readModels.find(productsNamed(query.name))).map(productView) };
  },
});

const getProduct = defineRoute({
  method: 'GET',
  path: '/products/:id',
  summary: 'Returns one product',
  access: 'public',
  target,
  answer: { status: 200, schema: productViewSchema },
  async serve(_shop, { document }) {
    if (document.removed) throw new RequestRefused('not_found');
    return { body: productView(document) };
  },
});

function detailsOf({ quantity: _, price, ...details }: NewProduct): ProductDetails {
  return { ...details, price: toPoisha(price) };
}

/** A given product is compared with at most MOST_COMPARED of these products. The `LIKE_IT` most similar ones are returned. */
const COMPARED = productList({ sort: 'newest', inStock: true });
const MOST_COMPARED = { limit: 200 };
const LIKE_IT = 4;

const similarProducts = defineRoute({
  method: 'GET',
  path: '/similar',
  summary:
    'Lists up to four products in stock that are most similar to the given product, which may be removed. If the product is unknown, lists the newest',
  access: 'public',
  query: similarQuerySchema,
  answer: { status: 200, schema: z.array(productViewSchema) },
  async serve(shop, { query }) {
    await shop.readYourWrites.caughtUp('product');
    const { readModels } = shop;
    const product = await readModels.get('product', query.product);
    // All unknown product ids share one cached response.
    const [id, own] = product ? [product.id, product.version] : ['', 0];
    const body = await throughCache(readModels, {
      key: `similar ${id} ${own}`,
      version: () => readModels.versionOf(COMPARED, MOST_COMPARED),
      async make() {
        const { items, version } = await readModels.page(COMPARED, MOST_COMPARED);
        const others = items.filter((other) => other.id !== id);
        return new CachedResponse(JSON.stringify(mostLike(product, others, LIKE_IT).map(productView)), version);
      },
    });
    return { body };
  },
});

const addProduct = defineRoute({
  method: 'POST',
  path: '/products',
  summary: 'Adds a product',
  access: 'admin',
  body: newProductSchema,
  answer: { status: 201, schema: createdSchema },
  idempotent: true,
  async serve(shop, exchange) {
    const { body } = exchange;
    const id = exchange.creationId();
    const command = { type: 'AddProduct', details: detailsOf(body), quantity: body.quantity } as const;
    const meta = commandMeta(shop, exchange, 'add', id);
    return created('/products', id, await shop.handler.execute(productDecider, id, command, meta));
  },
});

function changeOf({ quantity, version, price, ...details }: ProductChanges) {
  const given = Object.entries({ ...details, price: price && toPoisha(price) }).filter(
    ([, value]) => value !== undefined,
  );
  const stock = quantity === undefined || version === undefined ? undefined : { quantity, seenVersion: version };
  return { type: 'ChangeProduct', changes: Object.fromEntries(given) as Partial<ProductDetails>, stock } as const;
}

const changeProduct = defineRoute({
  method: 'PUT',
  path: '/products/:id',
  summary: 'Changes the given fields of a product. A new quantity requires the version that the admin saw',
  access: 'admin',
  target,
  body: productChangesSchema,
  answer: { status: 200, schema: updatedSchema },
  problems: ['stale_version'],
  async serve(shop, exchange) {
    const { params, body } = exchange;
    const meta = commandMeta(shop, exchange, 'change');
    return updated(await shop.handler.execute(productDecider, params.id, changeOf(body), meta));
  },
});

const removeProduct = defineRoute({
  method: 'DELETE',
  path: '/products/:id',
  summary: 'Removes a product from the catalogue',
  access: 'admin',
  target,
  answer: { status: 200, schema: deletedSchema },
  async serve(shop, exchange) {
    const meta = commandMeta(shop, exchange, 'remove');
    return deleted(await shop.handler.execute(productDecider, exchange.params.id, { type: 'RemoveProduct' }, meta));
  },
});

export const productRoutes: readonly Route[] = [
  listProducts,
  productsByName,
  getProduct,
  similarProducts,
  addProduct,
  changeProduct,
  removeProduct,
];
