import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../servers/test-servers/tcp-proxy.fixture.ts';
import { LIGHT_ADMIN } from './light-shop.fixture.ts';
import type { ReadyProcess } from './ready-process.fixture.ts';
import { type Answer, addProduct, orderOf, type Person, signIn } from './shop-client.fixture.ts';
import { type ShopOnServers, startShopOnServers } from './shop-on-servers.fixture.ts';

/** How long an election may leave a replica set without a primary, in ms. */
const ELECTION_MS = 12_000;

let shop: ShopOnServers;
let proxy: TcpProxy;
let api: ReadyProcess;
let shopper: Person;
let productId: string;

beforeAll(async () => {
  shop = await startShopOnServers(inject('servers'), { api: 0, projector: 1, live: 0 });
  const uri = new URL(shop.environment.MONGODB_URI);
  proxy = await startTcpProxy(Number(uri.port));
  api = await shop.start('api', { MONGODB_URI: `mongodb://127.0.0.1:${proxy.port}${uri.pathname}` });
  const admin = await signIn(api.url, LIGHT_ADMIN);
  shopper = await signIn(api.url, 'rahim@shop.test');
  productId = await addProduct(admin, { quantity: 100 });
});
afterAll(async () => {
  await shop.stop();
  await proxy.close();
});

/**
 * Repeats a request until the response isn't a 503. Returns that response, the number of 503s, and the time in ms that
 * the slowest 503 took.
 */
async function untilServed(call: () => Promise<Answer>): Promise<{ answer: Answer; refused: number; slowest: number }> {
  let slowest = 0;
  for (let refused = 0; ; refused += 1) {
    const began = performance.now();
    const answer = await call();
    if (answer.status !== 503) return { answer, refused, slowest };
    slowest = Math.max(slowest, performance.now() - began);
    expect(answer.body).toMatchObject({ code: 'store_unavailable' });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
}

const place = (key: string) => () =>
  shopper.call('POST', '/orders', orderOf(shopper, productId), { 'idempotency-key': key });

async function reductions(): Promise<number> {
  return (await shop.everyEvent()).filter(({ type }) => type === 'StockReduced').length;
}

/**
 * Makes MongoDB unavailable for ELECTION_MS and repeats several requests until each is served. Expects every request to
 * get at least one 503, each within 3 s, and to succeed once MongoDB is back.
 */
async function expectPrompt(key: string, lose: () => Promise<void> | void): Promise<void> {
  const before = await reductions();
  await lose();
  const back = setTimeout(() => void proxy.restore(), ELECTION_MS);
  const calls = {
    order: place(key),
    again: place(key),
    products: () => shopper.call('GET', '/products?q=tower'),
    product: () => shopper.call('GET', `/products/${productId}`),
    own: () => shopper.call('GET', `/individual?email=${shopper.email}`),
  };
  const served = await Promise.all(Object.values(calls).map(untilServed));
  clearTimeout(back);
  const slowest = served.map((each) => Math.round(each.slowest));
  process.stdout.write(`MongoDB ${key}: slowest 503 of ${Object.keys(calls).join(', ')}: ${slowest.join(', ')} ms\n`);
  for (const { refused, slowest } of served) {
    expect(refused).toBeGreaterThan(0);
    expect(slowest).toBeLessThan(3_000);
  }
  expect(served.map(({ answer }) => answer.status)).toEqual([201, 201, 200, 200, 200]);
  expect(served[0]?.answer.body).toEqual(served[1]?.answer.body);
  expect(await reductions()).toBe(before + 1);
}

it('CMD7 LOG2 while MongoDB refuses connections for 12 s, every request gets a 503 within 3 s, and retries with one idempotency key place only one order', async () => {
  await expectPrompt('refuses', () => proxy.refuse());
});

it('CMD7 LOG2 while MongoDB does not respond for 12 s, every request gets a 503 within 3 s, and retries with one idempotency key place only one order', async () => {
  await expectPrompt('silent', () => proxy.holdAnswers());
});

it('CMD7 if the connection to MongoDB is cut during an append, the append is retried within the same request', async () => {
  const placing = place('cut')();
  proxy.cut();
  expect((await placing).status).toBe(201);
});
