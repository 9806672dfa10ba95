import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { shipmentOutcomesSchema } from '../contracts/order/order-answers.ts';
import type { TimelineEntry } from '../contracts/order/timeline.ts';
import type { ViewPush } from '../contracts/pushes.ts';
import { LIGHT_ADMIN } from './light-shop.fixture.ts';
import {
  addProduct,
  call,
  inParallel,
  orderList,
  orderOf,
  type Person,
  productOf,
  signIn,
} from './shop-client.fixture.ts';
import { type ShopOnServers, startShopOnServers } from './shop-on-servers.fixture.ts';

let shop: ShopOnServers;
let admin: Person;
let shopper: Person;

beforeAll(async () => {
  shop = await startShopOnServers(inject('servers'), { api: 2, projector: 2, live: 2 });
  admin = await signIn(shop.url, LIGHT_ADMIN);
  shopper = await signIn(shop.url, 'rahim@shop.test');
});
afterAll(() => shop.stop());

const PATIENCE = { timeout: 15_000, interval: 20 };

/** Connects a person's socket to one live copy, and collects the pushes that the socket receives. */
async function follow(url: string, person: Person) {
  const socket = io(url, { transports: ['websocket'], auth: { token: person.token }, forceNew: true });
  const views: ViewPush[] = [];
  socket.on('view', (push: ViewPush) => views.push(push));
  const lives: boolean[] = [];
  socket.on('live', ({ live }: { live: boolean }) => lives.push(live));
  await expect.poll(() => lives.at(-1), PATIENCE).toBe(true);
  return { views, end: () => socket.disconnect() };
}

const urlOf = (role: 'api' | 'live' | 'projector', copy: number) => shop.running[role][copy]?.url ?? '';

/** Returns the same person, but with a `call` that sends every request directly to the given URL. */
const at = (url: string, person: Person): Person => ({
  ...person,
  call: (method, path, body, headers = {}) =>
    call(url, method, path, { token: person.token, headers, ...(body === undefined ? {} : { body }) }),
});

async function place(person: Person, productId: string, quantity = 1): Promise<string> {
  const answer = await person.call('POST', '/orders', orderOf(person, productId, quantity));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return (answer.body as { insertedId: string }).insertedId;
}

describe('roles that run in separate processes', () => {
  it('every copy of every role becomes ready, and the projection lag drops to 0', async () => {
    for (const { url } of Object.values(shop.running).flat()) {
      expect((await call(url, 'GET', '/healthz')).status).toBe(200);
      await expect.poll(async () => (await call(url, 'GET', '/readyz')).status, PATIENCE).toBe(200);
      expect((await call(url, 'GET', '/metrics')).body).toContain('process_cpu_seconds_total');
    }
    const lag = async () => (await call(urlOf('projector', 0), 'GET', '/readyz')).body;
    await expect.poll(lag, PATIENCE).toMatchObject({ ready: true, checks: { projectionLagEvents: 0 } });
  });

  it('X1 X2 X3 X4 X5 X6 PAY1 LIVE1 an order is placed through one API copy, recorded as paid by a webhook and shipped through the other copy, and both live copies push the changes', async () => {
    const productId = await addProduct(at(urlOf('api', 0), admin), { quantity: 10 });
    const watching = await Promise.all([follow(urlOf('live', 0), shopper), follow(urlOf('live', 1), admin)]);
    const orderId = await place(at(urlOf('api', 0), shopper), productId);
    const intent = await at(urlOf('api', 1), shopper).call('POST', '/create-payment-intent', {
      orderId,
      totalPrice: 1000,
    });
    const id = (intent.body as { clientSecret: string }).clientSecret.split('_secret_')[0] ?? '';
    await shop.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    for (const { views } of watching) {
      const paid = () => views.some((push) => push.id === orderId && push.kind === 'order' && push.view?.paid === true);
      await expect.poll(paid, PATIENCE).toBe(true);
    }
    const shipped = await at(urlOf('api', 1), admin).call('PUT', `/orders/${orderId}`);
    expect(shipped.body).toMatchObject({ modifiedCount: 1 });
    for (const { views, end } of watching) {
      const last = () => views.findLast((push) => push.id === orderId)?.view;
      await expect.poll(last, PATIENCE).toMatchObject({ status: 'shipped', paid: true });
      end();
    }
  });

  it('READ1 a write through one API copy is immediately visible to reads by id and role checks on the other copy, and to lists on the same copy', async () => {
    const [here, there] = [at(urlOf('api', 0), shopper), at(urlOf('api', 1), shopper)];
    const productId = await addProduct(at(urlOf('api', 0), admin), { quantity: 1000 });
    for (let round = 0; round < 10; round += 1) {
      const orderId = await place(here, productId);
      expect((await there.call('GET', `/orders/${orderId}`)).status).toBe(200);
      const own = orderList(await here.call('GET', `/individual?email=${shopper.email}&sort=newest&limit=1`));
      expect(own[0]?._id).toBe(orderId);
      expect((await there.call('DELETE', `/orders/${orderId}`)).body).toMatchObject({ deletedCount: 1 });
      expect((await here.call('GET', `/orders/${orderId}`)).body).toMatchObject({ cancelReason: 'customer' });
    }
    const helper = await signIn(urlOf('api', 0), 'karim@shop.test');
    await at(urlOf('api', 1), admin).call('PUT', '/users/admin/karim@shop.test');
    expect((await helper.call('GET', '/orders')).status).toBe(200);
    await at(urlOf('api', 1), admin).call('DELETE', '/users/admin/karim@shop.test');
    expect((await helper.call('GET', '/orders')).status).toBe(403);
  });

  it('ORD2 ORD5 CMD2 exactly 40 of 200 orders that compete for 40 units through two API copies are placed, and each cancelled order returns its stock once', async () => {
    const productId = await addProduct(admin, { quantity: 40 });
    const placed: string[] = [];
    let refused = 0;
    await inParallel(200, 16, async (index) => {
      const buyer = at(urlOf('api', index % 2), shopper);
      const answer = await buyer.call('POST', '/orders', orderOf(buyer, productId));
      if (answer.status === 201) placed.push((answer.body as { insertedId: string }).insertedId);
      else if (answer.status === 422) refused += 1;
    });
    expect({ placed: placed.length, refused }).toEqual({ placed: 40, refused: 160 });
    await Promise.all(placed.slice(0, 15).map((id) => shopper.call('DELETE', `/orders/${id}`)));
    const stock = async () => productOf(await shopper.call('GET', `/products/${productId}`)).quantity;
    await expect.poll(stock, PATIENCE).toBe(15);
  });

  it("AUTH2 if two admins revoke each other's role at the same time through different API copies, exactly one of them remains an admin", async () => {
    const other = await signIn(shop.url, 'karim@shop.test');
    await admin.call('PUT', '/users/admin/karim@shop.test');
    const answers = await Promise.all([
      at(urlOf('api', 0), admin).call('DELETE', '/users/admin/karim@shop.test'),
      at(urlOf('api', 1), other).call('DELETE', `/users/admin/${LIGHT_ADMIN}`),
    ]);
    const after = await Promise.all([admin.call('GET', '/orders?limit=1'), other.call('GET', '/orders?limit=1')]);
    expect(after.map(({ status }) => status).sort(), JSON.stringify(answers.map(({ body }) => body))).toEqual([
      200, 403,
    ]);
    if (after[0]?.status === 403) await other.call('PUT', `/users/admin/${LIGHT_ADMIN}`);
  });

  it('X4 ORD10 if two admins ship overlapping selections through different API copies, each order ships once, and the admin who was too late is told who shipped it and when', async () => {
    const productId = await addProduct(admin, { quantity: 10 });
    const second = await signIn(shop.url, 'mina@shop.test');
    await admin.call('PUT', `/users/admin/${second.email}`);
    const orders = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const id = await place(shopper, productId);
        const intent = await shopper.call('POST', '/create-payment-intent', { orderId: id, totalPrice: 1000 });
        const transactionId = (intent.body as { clientSecret: string }).clientSecret.split('_secret_')[0] ?? '';
        await shop.stripe.paymentIntents.confirm(transactionId, { payment_method: 'pm_card_visa' });
        await shopper.call('PATCH', `/orders/${id}`, { order: id, transactionId });
        return { id, version: 3 };
      }),
    );
    const ship = async (copy: number, person: Person, selection: typeof orders) => {
      const { status, body } = await at(urlOf('api', copy), person).call('POST', '/shipments', { orders: selection });
      expect(status).toBe(200);
      return shipmentOutcomesSchema.parse(body);
    };
    const told = (
      await Promise.all([ship(0, admin, orders.slice(0, 4)), ship(1, second, orders.slice(2).reverse())])
    ).flat();
    for (const { id } of orders) {
      const outcomes = told.filter((outcome) => outcome.id === id);
      expect(outcomes.filter(({ outcome }) => outcome === 'shipped')).toHaveLength(1);
      const timeline = (await admin.call('GET', `/orders/${id}/timeline`)).body as TimelineEntry[];
      const [shipped, ...more] = timeline.filter(({ type }) => type === 'shipped');
      expect(more).toEqual([]);
      for (const outcome of outcomes.filter((one) => one.outcome !== 'shipped')) {
        expect(outcome).toEqual({ id, outcome: 'already_shipped', by: shipped?.by, at: shipped?.at, version: 4 });
      }
    }
  });

  it('FEED2 LIVE1 ORD5 events from an API copy that cannot reach Kafka are pushed and handled by their policies within 5 s', async () => {
    const mute = await shop.start('api', { KAFKA_BROKERS: '127.0.0.1:9' });
    try {
      const productId = await addProduct(admin, { quantity: 10 });
      const watching = await follow(urlOf('live', 0), shopper);
      for (let round = 0; round < 3; round += 1) {
        const began = Date.now();
        const orderId = await place(at(mute.url, shopper), productId, 2);
        await expect.poll(() => watching.views.some((push) => push.id === orderId), PATIENCE).toBe(true);
        expect(Date.now() - began).toBeLessThan(5_000);
        // The cancellation is the last event of its stream, so no later event can reveal that its Kafka message was
        // lost.
        const cancelled = Date.now();
        await at(mute.url, shopper).call('DELETE', `/orders/${orderId}`);
        const gone = () => watching.views.some((push) => push.id === orderId && push.view === null);
        await expect.poll(gone, PATIENCE).toBe(true);
        const stock = async () => productOf(await shopper.call('GET', `/products/${productId}`)).quantity;
        await expect.poll(stock, PATIENCE).toBe(10);
        expect(Date.now() - cancelled).toBeLessThan(5_000);
      }
      watching.end();
    } finally {
      await shop.kill('api', mute);
    }
  });

  it('LOG1 a process of any role exits with code 0 within 10 s of SIGTERM', async () => {
    for (const role of ['api', 'projector', 'live'] as const) {
      const one = await shop.start(role);
      const began = Date.now();
      shop.running[role] = shop.running[role].filter((other) => other !== one);
      expect(await one.stop()).toBe(0);
      expect(Date.now() - began).toBeLessThan(10_000);
    }
  });
});
