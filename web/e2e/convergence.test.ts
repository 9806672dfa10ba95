import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LIGHT_ADMIN, type LightShop, startLightShop } from '../../services/whole-shop/light-shop.fixture.ts';
import { addProduct, orderOf, type Person, signIn } from '../../services/whole-shop/shop-client.fixture.ts';
import { freshDataDir } from '../../services/whole-shop/shop-process.fixture.ts';
import { type LiveClient, openLiveClient } from './live-client.fixture.ts';

/** `npm run test:long` cuts 1,000 connections. Other runs cut 200. */
const [CLIENTS, CUTS_EACH] = process.env.LONG_RUN ? [20, 50] : [10, 20];
const SHOPPERS = 4;

const data = freshDataDir();
let shop: LightShop;
const clients: LiveClient[] = [];
/** how many times the clients have requested their lists */
let asked = 0;

beforeAll(async () => {
  shop = await startLightShop(data.path);
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    if (/sort=(newest|oldest)/.test(String(address))) asked += 1;
    return fetch(address, init);
  });
  vi.stubGlobal('window', { location: { origin: shop.url } });
});
afterAll(async () => {
  for (const { end } of clients) end();
  await shop.stop();
  vi.unstubAllGlobals();
  data.remove();
});

/** Places orders until `going` returns false. Of every four orders, two are cancelled and one is paid and shipped. */
async function keepTrading(shopper: Person, admin: Person, productId: string, going: () => boolean): Promise<void> {
  for (let round = 0; going(); round += 1) {
    const placed = await shopper.call('POST', '/orders', orderOf(shopper, productId));
    const { insertedId } = placed.body as { insertedId: string };
    if (round % 2 === 0) await shopper.call('DELETE', `/orders/${insertedId}`);
    if (round % 4 === 1) {
      await pay(shopper, insertedId);
      await admin.call('PUT', `/orders/${insertedId}`);
    }
  }
}

async function pay(shopper: Person, orderId: string): Promise<void> {
  const intent = await shopper.call('POST', '/create-payment-intent', { orderId, totalPrice: 1000 });
  const id = (intent.body as { clientSecret: string }).clientSecret.split('_secret_')[0] ?? '';
  await shop.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
  await shopper.call('PATCH', `/orders/${orderId}`, { order: orderId, transactionId: id });
}

it(`LIVE2 every table matches the read model after ${CLIENTS * CUTS_EACH} connections were cut while orders changed`, async () => {
  const admin = await signIn(shop.url, LIGHT_ADMIN);
  const shoppers = await Promise.all(Array.from({ length: SHOPPERS }, (_, n) => signIn(shop.url, `s${n}@shop.test`)));
  const productId = await addProduct(admin, { quantity: 100_000 });
  for (let n = 0; n < CLIENTS; n += 1) {
    const shopper = shoppers[n % SHOPPERS];
    if (!shopper) continue;
    const [person, role] = n < 4 ? ([admin, 'admin'] as const) : ([shopper, 'customer'] as const);
    clients.push(await openLiveClient(shop.url, person, role, n % 2 === 0 ? 'newest' : 'oldest'));
  }
  let going = true;
  let cuts = 0;
  const trading = shoppers.map((shopper) => keepTrading(shopper, admin, productId, () => going));
  const cutting = clients.map(async (client) => {
    for (let cut = 0; cut < CUTS_EACH; cut += 1) {
      await expect.poll(client.isLive, { interval: 5, timeout: 20_000 }).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      client.cut();
      await expect.poll(client.isLive, { interval: 5, timeout: 20_000 }).toBe(false);
      cuts += 1;
    }
  });
  await Promise.all(cutting);
  going = false;
  await Promise.all(trading);

  expect(cuts).toBe(CLIENTS * CUTS_EACH);
  // Each client fetches its list once at first, a second time if connecting was slow, and at most once per reconnect.
  expect(asked).toBeLessThanOrEqual(CLIENTS * 2 + cuts);
  for (const client of clients) {
    const truth = await client.truth();
    expect(truth.length).toBeGreaterThan(0);
    await vi.waitFor(
      () => {
        const shown = client.rows()?.slice(0, 200) ?? [];
        expect(shown.length).toBeGreaterThan(0);
        // When an order leaves an oldest-first list, the loaded window shrinks, because no newer order moves into it.
        expect(shown).toEqual(client.sort === 'newest' ? truth : truth.slice(0, shown.length));
      },
      { timeout: 20_000 },
    );
  }
}, 240_000);
