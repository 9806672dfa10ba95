import { expect, it, vi } from 'vitest';
import type { Database } from '../runtime/sqlite.ts';
import { StoreUnavailable } from '../runtime/store-unavailable.ts';
import { type Answer, orderOf } from '../whole-shop/shop-client.fixture.ts';
import { stockedShop, testShops } from './test-shop.fixture.ts';

const opened: Database[] = [];
vi.mock('../embedded/sqlite/sqlite-database.ts', async (original) => {
  const actual = await original<typeof import('../embedded/sqlite/sqlite-database.ts')>();
  return {
    ...actual,
    openShopDatabase(file: string) {
      const database = actual.openShopDatabase(file);
      opened.push(database);
      return database;
    },
  };
});

const startShop = testShops();
/** Returns the database of the shop that was started last. */
const shopFile = () => opened.at(-1) as Database;

/** Makes a call and returns its response and its duration in ms. */
async function timed(call: () => Promise<Answer>): Promise<Answer & { readonly after: number }> {
  const began = performance.now();
  const answer = await call();
  return { ...answer, after: performance.now() - began };
}

const GOODS = { name: 'Tower Two', price: 1000, quantity: 1, minorder: 1 };
const UNAVAILABLE = { status: 503, body: { code: 'store_unavailable' } };

it('CMD7 an order gets a 503 within 3 s while the disk is full, and a retry with the same Idempotency-Key places the order once there is space again', async () => {
  const shop = await startShop();
  const { productId, shopper, admin } = await stockedShop(shop);
  const file = shopFile();
  const pages = Number(file.pragma('page_count'));
  file.pragma(`max_page_count = ${pages}`);
  // Adds products until the database file's existing pages have no free space left.
  const filling = () => admin.call('POST', '/products', { ...GOODS, description: 'x'.repeat(4_000) });
  await expect.poll(async () => (await filling()).status, { timeout: 20_000 }).toBe(503);

  const order = { ...orderOf(shopper, productId), address: 'House 7. '.repeat(20) };
  const place = () => shopper.call('POST', '/orders', order, { 'idempotency-key': 'full-disk-1' });
  const refused = await timed(place);
  expect(refused).toMatchObject(UNAVAILABLE);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(refused.body).toMatchObject({ detail: expect.stringContaining('the same Idempotency-Key') });
  expect(refused.after).toBeLessThan(3_000);
  console.info(`503 after ${Math.round(refused.after)} ms on a full disk`);
  expect((await shopper.call('GET', `/products/${productId}`)).status).toBe(200);

  file.pragma('max_page_count = 1073741823');
  expect((await place()).status).toBe(201);
  expect((await place()).status).toBe(201);
  const kept = (await shop.events('product', productId)).filter(({ type }) => type === 'StockReduced');
  expect(kept).toHaveLength(1);
});

it('CMD7 if the store is unavailable, all waiting commands get a 503 within 3 s instead of timing out one after another', async () => {
  const shop = await startShop();
  const { productId, shopper } = await stockedShop(shop);
  shopFile().pragma('query_only = ON');
  const first = timed(() => shopper.call('POST', '/orders', orderOf(shopper, productId)));
  const waiting = Array.from({ length: 50 }, () =>
    timed(() => shopper.call('POST', '/orders', orderOf(shopper, productId))),
  );
  for (const answer of await Promise.all([first, ...waiting])) {
    expect(answer).toMatchObject(UNAVAILABLE);
    expect(answer.after).toBeLessThan(3_000);
  }
  shopFile().pragma('query_only = OFF');
  expect((await shopper.call('POST', '/orders', orderOf(shopper, productId))).status).toBe(201);
});

it("CMD7 a read gets a 503 with Retry-After if the store is unavailable, and the response doesn't mention an Idempotency-Key", async () => {
  const lost = async () => {
    throw new StoreUnavailable('gone');
  };
  const shop = await startShop(({ readModels }) => ({ readModels: { ...readModels, page: lost } }));
  const answer = await shop.call('GET', '/products');
  expect(answer).toMatchObject(UNAVAILABLE);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.body).not.toHaveProperty('detail');
});

it('CMD7 a failed write to the read models throws StoreUnavailable', async () => {
  const { core } = await startShop();
  shopFile().pragma('query_only = ON');
  await expect(core.readModels.clear()).rejects.toThrow(StoreUnavailable);
});
