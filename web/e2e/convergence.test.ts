import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LIGHT_ADMIN, type LightShop, startLightShop } from '../../services/e2e/light-shop.fixture.ts';
import { addProduct, orderList, orderOf, type Person, signIn } from '../../services/e2e/shop-client.fixture.ts';
import { freshDataDir } from '../../services/e2e/shop-process.fixture.ts';

const CLIENTS = 10;
const CUTS_EACH = 20;
const SHOPPERS = 4;

const data = freshDataDir();
let shop: LightShop;
const ends: (() => void)[] = [];

beforeAll(async () => {
  shop = await startLightShop(data.path);
  vi.stubGlobal('window', { location: { origin: shop.url } });
});
afterAll(async () => {
  for (const end of ends) end();
  await shop.stop();
  vi.unstubAllGlobals();
  data.remove();
});

/** A browser's store with its own copy of every module, following one person's orders, its connection in our hands. */
async function openClient(person: Person, role: 'admin' | 'customer') {
  vi.resetModules();
  const { makeStore } = await import('../src/app/store.ts');
  const { startLive } = await import('../src/live/live-socket.ts');
  const { ordersApi } = await import('../src/features/orders/orders.api.ts');
  const { adminOrdersApi } = await import('../src/features/admin-orders/admin-orders.api.ts');
  const { signedIn } = await import('../src/features/auth/session-slice.ts');
  const store = makeStore();
  store.dispatch(signedIn({ token: person.token, email: person.email, name: 'x', role }));
  const socket = io(shop.url, {
    transports: ['websocket'],
    autoConnect: false,
    reconnectionDelay: 5,
    reconnectionDelayMax: 50,
    auth: { token: person.token },
  });
  ends.push(startLive(store, undefined, () => socket));
  const list =
    role === 'admin'
      ? () => adminOrdersApi.endpoints.listOrders.select()(store.getState()).data
      : () => ordersApi.endpoints.listMyOrders.select(person.email)(store.getState()).data;
  if (role === 'admin') store.dispatch(adminOrdersApi.endpoints.listOrders.initiate());
  else store.dispatch(ordersApi.endpoints.listMyOrders.initiate(person.email));
  return {
    person,
    path: role === 'admin' ? '/orders' : `/individual?email=${person.email}`,
    rows: () => list()?.items,
    isLive: () => store.getState().live.state === 'live',
    /** As when a cable is pulled: no goodbye in either direction. */
    cut: () => socket.io.engine?.close(),
  };
}
type Client = Awaited<ReturnType<typeof openClient>>;

/** Places, cancels, pays and ships at random until told to stop. */
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

it(`LIVE2 ${CLIENTS * CUTS_EACH} cut connections while orders move: every table ends as the read model is`, async () => {
  const admin = await signIn(shop.url, LIGHT_ADMIN);
  const shoppers = await Promise.all(Array.from({ length: SHOPPERS }, (_, n) => signIn(shop.url, `s${n}@shop.test`)));
  const productId = await addProduct(admin, { quantity: 100_000 });
  const clients: Client[] = [];
  for (let n = 0; n < CLIENTS; n += 1) {
    const shopper = shoppers[n % SHOPPERS];
    if (shopper) clients.push(n < 3 ? await openClient(admin, 'admin') : await openClient(shopper, 'customer'));
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
  for (const client of clients) {
    const truth = orderList(
      await client.person.call('GET', `${client.path}${client.path.includes('?') ? '&' : '?'}sort=newest&limit=200`),
    );
    expect(truth.length).toBeGreaterThan(0);
    await expect.poll(() => client.rows()?.slice(0, 200), { timeout: 20_000 }).toEqual(truth);
  }
}, 240_000);
