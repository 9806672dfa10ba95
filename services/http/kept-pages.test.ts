import { expect, it } from 'vitest';
import type { ReviewView } from '../contracts/views.ts';
import { type Answer, addProduct, orderList } from '../whole-shop/shop-client.fixture.ts';
import { KeptPage, pagesWithin } from './kept-pages.ts';
import { stockedShop, testShops } from './test-shop.fixture.ts';

const open = testShops();

const etagOf = ({ headers }: Answer) => String(headers.get('etag'));
/** Without the second one, fetch asks for a whole answer. */
const unless = (seen: Answer) => ({ 'if-none-match': etagOf(seen), 'cache-control': 'max-age=0' });

it('READ2 each change is in the next answer, and what has not changed is 304 alone', async () => {
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
      same.map(({ status, body }) => [status, body]),
      what,
    ).toEqual(lists.map(() => [304, '']));
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

it('READ1 READ2 who asks whether a page has changed waits for the projection as well', async () => {
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

it('READ2 AUTH1 what was kept for one customer reaches nobody else', async () => {
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

it('READ2 a kept page is the same in every encoding', async () => {
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

it('READ2 kept pages take no more bytes than they may: the one unused for longest goes', () => {
  const pages = pagesWithin(10_000);
  const page = new KeptPage('x'.repeat(1_000), '1', {});
  expect(page.size).toBeGreaterThanOrEqual(2_000);
  for (let n = 0; n < 100; n += 1) pages.set(`page ${n}`, page);
  expect(pages.calculatedSize).toBeLessThanOrEqual(10_000);
  expect([pages.has('page 0'), pages.has('page 99')]).toEqual([false, true]);
});
