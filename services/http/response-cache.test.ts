import { setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { ReviewView } from '../contracts/review/review-view.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import { ROUTES } from '../process/route-table.ts';
import { type Answer, addProduct, orderList } from '../whole-shop/shop-client.fixture.ts';
import type { ApiDependencies } from './dependencies.ts';
import { metaRoutes } from './meta-routes.ts';
import { CachedResponse, pagesWithin, throughCache } from './response-cache.ts';
import { stockedShop, testShops } from './test-shop.fixture.ts';

const open = testShops();

/** Opens a shop that counts how often each list is read. Reading the list of products takes `ms` ms longer. */
async function countingShop(ms = 0) {
  const reads = { products: 0, orders: 0 };
  const shop = await open(({ readModels }) => ({
    readModels: {
      ...readModels,
      page: async (query, request) => {
        if (query.kind === 'product') reads.products += 1;
        if (query.kind === 'order') reads.orders += 1;
        if (query.kind === 'product' && ms > 0) await setTimeout(ms);
        return readModels.page(query, request);
      },
    },
  }));
  return { shop, reads };
}

const etagOf = ({ headers }: Answer) => String(headers.get('etag'));
/** Returns the headers of a conditional request. Without `cache-control`, `fetch` adds `no-cache` and gets no 304. */
const unless = (seen: Answer) => ({ 'if-none-match': etagOf(seen), 'cache-control': 'max-age=0' });

it('READ2 a requested list includes every earlier change, and a conditional request for an unchanged list gets a 304 without a body', async () => {
  const shop = await open();
  const { admin, shopper, productId, place, pay } = await stockedShop(shop, { price: 1_000 });
  const orderId = await place(2);
  const lists = ['/products?limit=24', '/orders', `/individual?email=${shopper.email}`, '/reviews'];
  const products = () => admin.call('GET', '/products?limit=24');
  const review = { name: 'Tower One', ratings: 5, username: 'rumi', description: 'Quiet.' };
  let added = '';
  const changes: [string, () => Promise<unknown>, () => Promise<Answer>, unknown][] = [
    [
      'a price',
      () => admin.call('PUT', `/products/${productId}`, { price: 700 }),
      products,
      { price: 700, quantity: 98 },
    ],
    ['stock', () => place(8), products, { quantity: 90 }],
    [
      'a new product',
      async () => (added = await addProduct(admin, { name: 'Late Tower' })),
      products,
      { name: 'Late Tower' },
    ],
    [
      'a cancelled order',
      () => shopper.call('DELETE', `/orders/${orderId}`).then(shop.feed.caughtUp),
      products,
      { quantity: 92 },
    ],
    ['a review', () => shopper.call('POST', '/reviews', review), () => admin.call('GET', '/reviews'), review],
  ];
  for (const [what, change, read, shows] of changes) {
    const before = await Promise.all(lists.map((list) => admin.call('GET', list)));
    const again = (list: string, index: number) => admin.call('GET', list, undefined, unless(before[index] as Answer));
    const same = await Promise.all(lists.map(again));
    expect(
      same.map(({ status, body, headers }) => [status, body, headers.get('vary')]),
      what,
    ).toEqual(lists.map(() => [304, '', 'Accept-Encoding']));
    await change();
    expect((await read()).body, what).toContainEqual(expect.objectContaining(shows));
  }
  const paidOrder = await place(1);
  const { body } = await shopper.call('GET', lists[2] as string);
  expect(body).toHaveLength(2);
  await pay(paidOrder, 700);
  for (const list of ['/orders', lists[2] as string]) {
    const orders = orderList(await admin.call('GET', list));
    expect(orders.find(({ _id }) => _id === paidOrder)).toMatchObject({ paid: true });
  }
  await admin.call('DELETE', `/products/${added}`);
  expect((await products()).body).toHaveLength(1);
});

it('READ1 READ2 a conditional request for a list waits until an earlier change is projected, and then gets the changed list instead of a 304', async () => {
  const shop = await open();
  const { admin, productId } = await stockedShop(shop);
  const kept = await admin.call('GET', '/products');
  const release = shop.holdProjection();
  await admin.call('PUT', `/products/${productId}`, { price: 9 });
  const asking = admin.call('GET', '/products', undefined, unless(kept));
  await shop.call('GET', '/healthz');
  release();
  expect(await asking).toMatchObject({ status: 200, body: [{ price: 9 }] });
});

it('READ2 AUTH1 a response cached for one customer never reaches anyone else', async () => {
  const shop = await open();
  const { admin, shopper, place } = await stockedShop(shop);
  const other = await shop.signIn('lima@shop.test');
  const orderId = await place();
  const own = `/individual?email=${shopper.email}`;
  const first = await shopper.call('GET', own);
  expect(orderList(first)).toMatchObject([{ _id: orderId }]);
  expect((await admin.call('GET', '/orders')).body).toHaveLength(1);
  const known = unless(first);
  expect(await other.call('GET', own, undefined, known)).toMatchObject({ status: 403 });
  expect(await other.call('GET', '/orders', undefined, known)).toMatchObject({ status: 403 });
  expect(await shop.call('GET', own, { headers: known })).toMatchObject({ status: 401 });
  expect((await other.call('GET', `/individual?email=${other.email}`)).body).toEqual([]);
  expect(first.headers.get('cache-control')).toBe('no-store');
});

it('READ2 a cached page has the same content and ETag in every encoding', async () => {
  const shop = await open();
  const { shopper } = await stockedShop(shop);
  const description = 'Long, and longer. '.repeat(50);
  for (const name of ['One', 'Two', 'Three']) {
    await shopper.call('POST', '/reviews', { name, ratings: 4, username: 'Rumi', description });
  }
  const plain = await shopper.call('GET', '/reviews', undefined, { 'accept-encoding': 'identity' });
  for (const encoding of ['gzip', 'br', 'gzip;q=0, br']) {
    const answer = await shopper.call('GET', '/reviews', undefined, { 'accept-encoding': encoding });
    expect([answer.body, etagOf(answer)]).toEqual([plain.body, etagOf(plain)]);
    expect(answer.headers.get('content-encoding')).toBe(encoding.endsWith('br') ? 'br' : 'gzip');
    expect(answer.headers.get('vary')).toContain('Accept-Encoding');
  }
  expect(plain.body as ReviewView[]).toHaveLength(3);
});

it('READ2 the response cache stays within its size limit and evicts the least recently used page first', () => {
  const pages = pagesWithin(10_000);
  const page = new CachedResponse('x'.repeat(1_000), '1');
  expect(page.size).toBeGreaterThanOrEqual(2_000);
  for (let n = 0; n < 100; n += 1) pages.set(`page ${n}`, page);
  expect(pages.calculatedSize).toBeLessThanOrEqual(10_000);
  expect([pages.has('page 0'), pages.has('page 99')]).toEqual([false, true]);
});

it('RATE1 READ2 URLs that differ only in parameter order or ignored parameters are served from a single read', async () => {
  const { shop, reads } = await countingShop();
  const { admin, shopper, place } = await stockedShop(shop);
  await addProduct(admin, { name: 'Tower Two' });
  await place();
  const own = `/individual?email=${shopper.email}`;
  const paths = [
    '/products?limit=1&sort=newest',
    '/products?_=1&sort=newest&limit=1',
    '/products?sort=newest&limit=1&_=2',
  ];
  const pages = [];
  for (const path of [...paths, own, `${own}&_=1`]) pages.push(await shopper.call('GET', path));
  expect(reads).toEqual({ products: 1, orders: 1 });
  expect(new Set(pages.map(etagOf)).size).toBe(2);
  // The Link header of each response has the requested URL with a cursor added.
  const next = pages.map(({ headers }) => headers.get('link')?.replace(/cursor=[^&>]+/, 'cursor=C') ?? null);
  expect(next).toEqual([...paths.map((path) => `<${path}&cursor=C>; rel="next"`), null, null]);
});

it.each([0, 5])(
  'RATE1 concurrent requests for a changed page share one build when reading the store takes an extra %d ms',
  async (ms) => {
    const { shop, reads } = await countingShop(ms);
    const { admin, productId } = await stockedShop(shop);
    await shop.call('GET', '/products');
    await admin.call('PUT', `/products/${productId}`, { price: 9 });
    reads.products = 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.call('GET', '/products')));
    for (const { body } of answers) expect(body).toMatchObject([{ price: 9 }]);
    expect(reads.products).toBe(1);
  },
);

it('READ1 RATE1 requests that arrive while an outdated response is being built share the next build', async () => {
  const readModels = {} as ReadModels;
  const making: (() => void)[] = [];
  let version = '1';
  const ask = () =>
    throughCache(readModels, {
      key: 'page',
      version: async () => version,
      make: async () => {
        const read = version;
        await new Promise<void>((resolve) => making.push(resolve));
        return new CachedResponse(`read at ${read}`, read);
      },
    });
  const early = ask();
  await vi.waitFor(() => expect(making).toHaveLength(1));
  version = '2';
  const late = Promise.all([ask(), ask()]);
  making[0]?.();
  await vi.waitFor(() => expect(making).toHaveLength(2));
  making[1]?.();
  expect((await early).text()).toBe('read at 1');
  expect((await late).map((response) => response.text())).toEqual(['read at 2', 'read at 2']);
});

it('READ2 the lists of all products, products in stock and sold-out products are cached separately', async () => {
  const shop = await open();
  const { place } = await stockedShop(shop, { name: 'Sold Tower', quantity: 1 });
  await addProduct(await shop.admin(), { name: 'Tower Two' });
  await place(1);
  const namesAt = async (filter: string) =>
    ((await shop.call('GET', `/products?limit=24${filter}`)).body as { name: string }[]).map(({ name }) => name).sort();
  expect(await namesAt('')).toEqual(['Sold Tower', 'Tower Two']);
  expect(await namesAt('&inStock=1')).toEqual(['Tower Two']);
  expect(await namesAt('&inStock=0')).toEqual(['Sold Tower']);
});

it('RATE1 G3 similar products are recomputed only after a product has changed', async () => {
  const { shop, reads } = await countingShop();
  const { admin, productId } = await stockedShop(shop);
  const other = await addProduct(admin, { name: 'Tower Two', price: 500 });
  const similar = (id = productId) => shop.call('GET', `/similar?product=${id}`);
  const unknown = ['a'.repeat(24), 'b'.repeat(24)];
  for (const id of [productId, productId, ...unknown]) await similar(id);
  expect(reads.products).toBe(2);
  await admin.call('PUT', `/products/${other}`, { price: 700 });
  expect((await similar()).body).toMatchObject([{ name: 'Tower Two', price: 700 }]);
  await admin.call('PUT', `/products/${productId}`, { name: 'Tower Three' });
  for (const id of unknown)
    expect((await similar(id)).body).toContainEqual(expect.objectContaining({ name: 'Tower Three' }));
});

it('RATE1 /openapi.json and /docs are each built only once, however often they are requested', async () => {
  let made = 0;
  const routes = metaRoutes(() => {
    made += 1;
    return ROUTES;
  });
  const shop = await open();
  for (const path of ['/openapi.json', '/docs']) {
    const route = routes.find((one) => one.path === path);
    for (let n = 0; n < 3; n += 1) await route?.serve(shop.dependencies, {} as never);
  }
  expect(made).toBe(2);
});

it('READ1 READ2 a change that is saved while a page is being read appears in the next response', async () => {
  let meanwhile = async () => {};
  const reading = (shop: ApiDependencies): Partial<ApiDependencies> => ({
    readModels: {
      ...shop.readModels,
      async page(query, request) {
        const page = await shop.readModels.page(query, request);
        if (query.kind === 'product') await meanwhile();
        return page;
      },
    },
  });
  const shop = await open(reading);
  const { admin, productId } = await stockedShop(shop);
  const lists = ['/products', `/similar?product=${'a'.repeat(24)}`];
  for (const [index, list] of lists.entries()) {
    meanwhile = async () => {
      meanwhile = async () => {};
      await admin.call('PUT', `/products/${productId}`, { price: 500 + index });
      await shop.feed.caughtUp();
    };
    await shop.call('GET', list);
    expect((await shop.call('GET', list)).body, list).toMatchObject([{ price: 500 + index }]);
  }
});
