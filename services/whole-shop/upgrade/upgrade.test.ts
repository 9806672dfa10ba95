import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderPlacedSchema } from '../../contracts/answers.ts';
import { openEmbeddedCore } from '../../embedded/embedded-core.ts';
import { userIdOf } from '../../identity/user-id.ts';
import { systemClock } from '../../runtime/clock.ts';
import { createLogger } from '../../runtime/log.ts';
import { checkInvariants } from '../check-invariants.fixture.ts';
import { LIGHT_ADMIN, type LightShop, startLightShop } from '../light-shop.fixture.ts';
import { call, orderList, orderOf, productOf, signIn } from '../shop-client.fixture.ts';
import { freshDataDir } from '../shop-process.fixture.ts';
import { KEPT_ORDERS, keptBuyer, layKeptDataDir, POISONED_PRODUCT } from './kept-version.fixture.ts';

const data = freshDataDir();
let shop: LightShop;

beforeAll(async () => {
  layKeptDataDir(data.path);
  shop = await startLightShop(data.path);
});
afterAll(async () => {
  await shop.stop();
  data.remove();
});

/** Returns the number of orders that have the given status. */
async function ordersOf(status: string): Promise<number> {
  const admin = await signIn(shop.url, LIGHT_ADMIN);
  return orderList(await admin.call('GET', `/orders?status=${status}&limit=1000`)).length;
}

describe('a data directory written by version 0.1.0', () => {
  it('E1 LOG4 a shop with a data directory from version 0.1.0 becomes ready, and a product that version 0.1.0 could no longer read can be bought', async () => {
    await expect.poll(async () => (await fetch(`${shop.url}/readyz`)).status, { timeout: 20_000 }).toBe(200);
    const poisoned = productOf(
      await (await signIn(shop.url, LIGHT_ADMIN)).call('GET', `/products/${POISONED_PRODUCT}`),
    );
    expect(poisoned).toMatchObject({ price: 1000, description: 'poisoned by its price' });
    const buyer = await signIn(shop.url, 'new@shop.test');
    const order = { ...orderOf(buyer, POISONED_PRODUCT), product: poisoned.name };
    expect((await buyer.call('POST', '/orders', order)).status).toBe(201);
  });

  it('LOG1 PRJ1 after an upgrade from version 0.1.0, an admin sees every order with its status, and a customer sees their own orders and profile', async () => {
    for (const [status, count] of Object.entries(KEPT_ORDERS)) {
      // The previous test placed one more order.
      expect(await ordersOf(status), status).toBe(count + (status === 'unpaid' ? 1 : 0));
    }
    const buyer = await signIn(shop.url, keptBuyer(5));
    const own = orderList(await buyer.call('GET', `/individual?email=${buyer.email}`));
    expect(own.length).toBeGreaterThan(15);
    const [profile] = (await buyer.call('GET', `/users/${buyer.email}`)).body as [{ address: string; phone: string }];
    expect(profile).toMatchObject({ address: 'House 5, Road 3, Dhaka', phone: '01700001005' });
  });

  it("E11 ERASE1 after an upgrade from version 0.1.0, a buyer's old orders can be found in the log, and an account with a paid order can't be deleted", async () => {
    const admin = await signIn(shop.url, LIGHT_ADMIN);
    const orders = orderList(await admin.call('GET', '/orders?limit=1000'));
    const [waiting] = orderList(await admin.call('GET', '/orders?status=paid&limit=1'));
    const email = waiting?.email ?? '';
    const streams = await shop.core.log.streamsOf(userIdOf(email, shop.secrets.userId));
    const own = orders.filter((order) => order.email === email).map(({ _id }) => `order-${_id}`);
    expect(streams).toEqual(expect.arrayContaining(own));
    const refused = { status: 409, body: { code: 'order_on_its_way' } };
    expect(await (await signIn(shop.url, email)).call('DELETE', `/users/${email}`)).toMatchObject(refused);
  });

  it('ORD8 FIND1 each order from version 0.1.0 has a unique number and can be found by it, and the first new order is MC-1001', async () => {
    const admin = await signIn(shop.url, LIGHT_ADMIN);
    const orders = orderList(await admin.call('GET', '/orders?limit=1000'));
    const old = orders.filter(({ number }) => /^MC-X[0-9A-HJKMNP-TV-Z]{7}$/.test(number));
    expect(old.length).toBeGreaterThanOrEqual(700);
    expect(new Set(old.map(({ number }) => number)).size).toBe(old.length);
    expect(orders.filter((order) => !old.includes(order)).map(({ number }) => number)).toEqual(['MC-1001']);
    for (const order of [...old.slice(0, 5), ...orders.slice(-1)]) {
      const found = orderList(await admin.call('GET', `/orders?q=${order.number}`));
      expect(found, order.number).toEqual([order]);
    }
  });

  it('BOARD1 BOARD2 BOARD3 after an upgrade from version 0.1.0, the order board counts all orders, exports the paid orders, and shows when the oldest paid order was placed', async () => {
    const admin = await signIn(shop.url, LIGHT_ADMIN);
    const { unpaid, paid, shipped } = KEPT_ORDERS;
    const counts = { all: unpaid + 1 + paid + shipped, unpaid: unpaid + 1, paid, shipped };
    expect((await admin.call('GET', '/board/counts')).body).toEqual(counts);
    const [oldest] = orderList(await admin.call('GET', '/orders?status=paid&sort=oldest&limit=1'));
    const today = { orders: 1, revenue: 0, waiting: paid, longestWaitSince: oldest?.placedAt };
    expect((await admin.call('GET', '/board/today')).body).toMatchObject(today);
    const headers = { authorization: `Bearer ${admin.token}` };
    const csv = await (await fetch(`${shop.url}/board/export?status=paid`, { headers })).text();
    expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + paid);
    expect(csv).toContain(oldest?.number ?? '');
  });

  it('TRACK1 an order from version 0.1.0 can be shared through a tracking link', async () => {
    const buyer = await signIn(shop.url, keptBuyer(5));
    const [order] = orderList(await buyer.call('GET', `/individual?email=${buyer.email}`));
    const path = `/orders/${order?._id}/tracking`;
    expect((await buyer.call('GET', path)).body).toEqual({ token: null });
    const { token } = (await buyer.call('POST', path)).body as { token: string };
    const shown = await call(shop.url, 'GET', '/tracking', { headers: { 'x-tracking-token': token } });
    expect(shown).toMatchObject({ status: 200, body: { _id: order?._id, number: order?.number } });
  });

  it('ORD11 ORD12 MAIL2 a shipment from version 0.1.0 cannot be withdrawn, but can be given a carrier and tracking number', async () => {
    const admin = await signIn(shop.url, LIGHT_ADMIN);
    const [order] = orderList(await admin.call('GET', '/orders?status=shipped&limit=1'));
    expect(order).toMatchObject({ status: 'shipped', shipment: 1, carrier: null, trackingNumber: null });
    const path = `/orders/${order?._id}`;
    for (const body of [{ shipment: 1 }, { shipment: 1, reason: 'mistake' }]) {
      const refused = { status: 409, body: { code: 'shipment_final' } };
      expect(await admin.call('POST', `${path}/withdrawal`, body)).toMatchObject(refused);
    }
    expect((await admin.call('PUT', path)).body).toMatchObject({ modifiedCount: 0, version: order?.version });
    const parcel = { carrier: 'redx', trackingNumber: 'RX-1042' };
    expect((await admin.call('PUT', `${path}/parcel`, parcel)).body).toMatchObject({ modifiedCount: 1 });
    expect((await admin.call('GET', path)).body).toMatchObject({ ...order, ...parcel, version: expect.any(Number) });
  });

  it('AUTH2 admins from version 0.1.0 are still admins after an upgrade, and the last remaining admin cannot be removed', async () => {
    // The shop's own admin is added to the list of admins at sign-in. The other admin, `buyer0`, was granted the role
    // by version 0.1.0 but hasn't signed in since the upgrade.
    const admin = await signIn(shop.url, LIGHT_ADMIN);
    expect((await admin.call('GET', `/admin/${keptBuyer(0)}`)).body).toEqual({ admin: true });
    expect((await admin.call('DELETE', `/users/admin/${LIGHT_ADMIN}`)).body).toMatchObject({ deletedCount: 1 });
    const left = await signIn(shop.url, keptBuyer(0));
    expect((await left.call('GET', `/admin/${LIGHT_ADMIN}`)).body).toEqual({ admin: false });
    const refused = { status: 409, body: { code: 'last_admin' } };
    expect(await left.call('DELETE', `/users/admin/${left.email}`)).toMatchObject(refused);
    expect(await left.call('DELETE', `/users/${left.email}`)).toMatchObject(refused);
  });

  it('AUTH2 ORD4 PAY2 an unpaid order from version 0.1.0 can be paid for and shipped, and a placement repeated with its old idempotency key returns the original order', async () => {
    const buyer = await signIn(shop.url, keptBuyer(9));
    const admin = await signIn(shop.url, keptBuyer(0));
    const own = orderList(await buyer.call('GET', `/individual?email=${buyer.email}`));
    const order = own.find(({ paid }) => !paid);
    if (!order) throw new Error('No unpaid order is left.');
    const body = { orderId: order._id, totalPrice: order.totalPrice };
    const { clientSecret } = (await buyer.call('POST', '/create-payment-intent', body)).body as {
      clientSecret: string;
    };
    const intent = clientSecret.replace(/_secret_.*$/, '');
    await shop.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    const told = { order: order._id, transactionId: intent };
    // The webhook may already have recorded the payment. The request succeeds either way.
    expect((await buyer.call('PATCH', `/orders/${order._id}`, told)).status).toBe(200);
    expect((await admin.call('PUT', `/orders/${order._id}`)).body).toMatchObject({ modifiedCount: 1 });
    // The first request with this idempotency key placed buyer 9's order in version 0.1.0.
    const again = { ...orderOf(buyer, own.at(0)?.productId ?? ''), product: own.at(0)?.product };
    const first = own.find(({ _id }) => _id === own[0]?._id);
    const repeated = await buyer.call('POST', '/orders', again, { 'idempotency-key': 'fixture-7' });
    expect(orderPlacedSchema.parse(repeated.body)).toMatchObject({ insertedId: first?._id, number: first?.number });
  });
});

describe('a log written by version 0.1.0', () => {
  it('PRJ3 ORD2 PAY2 MAIL2 the log of a shop upgraded from version 0.1.0 passes all invariant checks before and after a rebuild', async () => {
    // Waits for the e-mail before stopping the shop, because otherwise the e-mail would be sent only after the next
    // start.
    const isSent = async () =>
      (await shop.core.log.readAll(null, 100_000)).events.some(({ type }) => type === 'MailSent');
    await expect.poll(isSent, { timeout: 20_000 }).toBe(true);
    await shop.stop();
    const core = openEmbeddedCore({ dataDir: data.path, clock: systemClock, logger: createLogger('silent') });
    try {
      const users = await core.readModels.listUsers({ limit: 100, sort: 'oldest' });
      const granted = [LIGHT_ADMIN, keptBuyer(0), keptBuyer(1)];
      const admins = users.items.filter(({ email }) => granted.includes(email)).map(({ id }) => id);
      const before = await checkInvariants(core, admins);
      expect(before.faults).toEqual([]);
      // MAIL2: the only e-mail is about the order placed after the upgrade. No e-mail is sent about the old order that
      // was shipped above.
      expect([before.types.MailClaimed, before.types.MailSent]).toEqual([1, 1]);
      expect(await core.rebuild()).toBe(before.events);
      expect((await checkInvariants(core, admins)).faults).toEqual([]);
    } finally {
      await core.close();
    }
  });
});
