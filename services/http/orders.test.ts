import { describe, expect, it, vi } from 'vitest';
import type { OrderView, ProductView } from '../contracts/views.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import { orderDecider } from '../shop/order/decide-order.ts';
import type { OrderCommand } from '../shop/order/order.ts';
import { plainIdentity } from '../whole-shop/plain-identity.fixture.ts';
import { addProduct, inParallel, orderOf } from '../whole-shop/shop-client.fixture.ts';
import { stockedShop, testShops } from './test-shop.fixture.ts';

const open = testShops();
const idOf = (answer: { body: unknown }) => (answer.body as { insertedId: string }).insertedId;

describe('placing orders', () => {
  it('C12 takes the stock, then opens the order, and answers where it is', async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop, { price: 1250.5, quantity: 10 });
    const answer = await shopper.call('POST', '/orders', { ...orderOf(shopper, productId, 3), price: 1250.5 });
    const orderId = idOf(answer);
    expect(answer).toMatchObject({
      status: 201,
      body: { acknowledged: true, insertedId: orderId, number: 'MC-1001', version: 1 },
    });
    expect(answer.headers.get('location')).toBe(`/orders/${orderId}`);
    expect(orderId).toMatch(/^[0-9a-f]{32}$/);
    const [, reduced] = await shop.events('product', productId);
    const [placed] = await shop.events('order', orderId);
    const about = { cause: `place:${orderId}`, correlationid: answer.headers.get('x-request-id') };
    const draft = { orderId, number: 'MC-1001', productId, quantity: 3, price: 125_050, total: 3751 };
    expect(reduced).toMatchObject({ type: 'StockReduced', ...about, data: { draft } });
    expect(placed).toMatchObject({ type: 'OrderPlaced', ...about, data: reduced?.data as object });
  });

  it('ORD8 CMD3 a repeat is answered with the number of the first, and takes none', async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop);
    const order = orderOf(shopper, productId);
    const place = (key: string) => shopper.call('POST', '/orders', order, { 'idempotency-key': key });
    const numberOf = ({ body }: { body: unknown }) => (body as { number: string }).number;
    const together = await Promise.all(Array.from({ length: 5 }, () => place('first')));
    expect(new Set(together.map(numberOf)).size).toBe(1);
    const numbers = together.slice(0, 1).map(numberOf);
    for (const key of ['second', 'third', 'fourth', 'fifth']) {
      numbers.push(numberOf(await place(key)));
      expect(numberOf(await place('first'))).toBe(numbers[0]);
    }
    expect(numbers.sort()).toEqual(['MC-1001', 'MC-1002', 'MC-1003', 'MC-1004', 'MC-1005']);
  });

  it('ORD8 a refused order takes no number', async () => {
    const shop = await open(({ settings }) => ({ settings: { ...settings, maxUnpaidOrders: 0 } }));
    const { shopper, productId } = await stockedShop(shop, { quantity: 10 });
    for (const quantity of [11, 0, 3]) await shopper.call('POST', '/orders', orderOf(shopper, productId, quantity));
    const listed = (await shopper.call('GET', `/individual?email=${shopper.email}`)).body as OrderView[];
    expect(listed.map(({ number }) => number)).toEqual(['MC-1001']);
  });

  it('U13 C12 keeps the digits of a phone number as people write it', async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop);
    const order = { ...orderOf(shopper, productId, 1), phone: '+880 1711-000000' };
    const { insertedId } = (await shopper.call('POST', '/orders', order)).body as { insertedId: string };
    expect((await shopper.call('GET', `/orders/${insertedId}`)).body).toMatchObject({ phone: '8801711000000' });
  });

  it('C14 answers the order with every field that the pages show', async () => {
    const shop = await open();
    const { shopper, productId, place } = await stockedShop(shop, { price: 99.99 });
    const orderId = await place(2);
    expect((await shopper.call('GET', `/orders/${orderId}`)).body).toEqual({
      _id: orderId,
      number: 'MC-1001',
      name: 'rumi',
      email: shopper.email,
      phone: '01700000000',
      address: 'House 7, Road 3, Dhanmondi, Dhaka',
      product: 'Tower One',
      productId,
      quantity: 2,
      price: 99.99,
      totalPrice: 199,
      paid: false,
      transactionId: '',
      status: '',
      placedAt: '2026-02-03T04:05:06.000Z',
      expiresAt: '2026-02-03T05:05:06.000Z',
      paidAt: null,
      shippedAt: null,
      cancelledAt: null,
      cancelReason: null,
      refundedAt: null,
      deliveryChangedAt: null,
      shipment: null,
      carrier: null,
      trackingNumber: null,
      version: 1,
    });
  });

  it('K1 totalPrice is unit price times quantity, cut, whatever the body says', async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop, { price: 333.33 });
    const answer = await shopper.call('POST', '/orders', { ...orderOf(shopper, productId, 5), totalPrice: 1 });
    expect((await shopper.call('GET', `/orders/${idOf(answer)}`)).body).toMatchObject({ totalPrice: 1666 });
  });

  it.each([
    ['below minorder', 1],
    ['above the stock', 11],
    ['none', 0],
    ['less than none', -3],
  ])('ORD3 a quantity %s is refused with the sentence of the shop, and no event', async (_case, quantity) => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop, { quantity: 10, minorder: 2 });
    const before = await shop.eventCount();
    expect(await shopper.call('POST', '/orders', orderOf(shopper, productId, quantity))).toMatchObject({
      status: 422,
      body: { code: 'quantity_out_of_range', title: 'Quantity does not match minimum requirements' },
    });
    expect(await shop.eventCount()).toBe(before);
  });

  it('CMD6 a price that is not the product’s is 409, and the order is not placed', async () => {
    const shop = await open();
    const { admin, shopper, productId } = await stockedShop(shop, { price: 1000 });
    await admin.call('PUT', `/products/${productId}`, { price: 1100 });
    const before = await shop.eventCount();
    const order = orderOf(shopper, productId);
    expect(await shopper.call('POST', '/orders', { ...order, price: 1000 })).toMatchObject({
      status: 409,
      body: { code: 'price_changed', detail: 'The price is 1100 taka now.' },
    });
    expect(await shop.eventCount()).toBe(before);
    expect((await shopper.call('POST', '/orders', { ...order, price: 1100 })).status).toBe(201);
  });

  it('CMD6 a total above 999,999 taka is refused when placing', async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop, { price: 500_000, quantity: 10 });
    const refused = await shopper.call('POST', '/orders', orderOf(shopper, productId, 2));
    expect(refused).toMatchObject({ status: 422, body: { code: 'total_too_large' } });
    expect(await shop.history('product', productId)).toEqual(['ProductAdded']);
  });

  it('C12 a product that is not there is 404, by its id', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const unheard = 'f'.repeat(32);
    expect(await shopper.call('POST', '/orders', orderOf(shopper, unheard))).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: `There is no ${unheard}.` },
    });
    expect(await shopper.call('POST', '/orders', orderOf(shopper, 'x'))).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'There is no such product.' },
    });
  });

  it('C12 without productId the name must be that of exactly one product', async () => {
    const shop = await open();
    const { admin, shopper, productId } = await stockedShop(shop);
    const { productId: _, ...byName } = orderOf(shopper, productId);
    const headers = { 'idempotency-key': 'by-name' };
    const first = await shopper.call('POST', '/orders', byName, headers);
    expect(first.status).toBe(201);
    await addProduct(admin);
    const ambiguous = await shopper.call('POST', '/orders', byName);
    expect(ambiguous).toMatchObject({ status: 422, body: { code: 'unknown_product' } });
    const unknown = await shopper.call('POST', '/orders', { ...byName, product: 'Nothing' });
    expect(unknown).toMatchObject({ status: 422, body: { code: 'unknown_product' } });
    // CMD3: the first reply again, though the name would not do for a new order.
    expect((await shopper.call('POST', '/orders', byName, headers)).body).toEqual(first.body);
    const other = await shopper.call('POST', '/orders', { ...byName, product: 'Nothing' }, headers);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  it('AUTH1 the e-mail of an order is the caller’s, else 403 and no event', async () => {
    const shop = await open();
    const { admin, shopper, productId } = await stockedShop(shop);
    const before = await shop.eventCount();
    const order = { ...orderOf(shopper, productId), email: admin.email };
    expect((await shopper.call('POST', '/orders', order)).status).toBe(403);
    expect(await shop.eventCount()).toBe(before);
  });
});

describe('the same order again', () => {
  it('CMD3 64 parallel calls with one Idempotency-Key place one order', async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop);
    const headers = { 'idempotency-key': 'once' };
    const order = orderOf(shopper, productId, 2);
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => shopper.call('POST', '/orders', order, headers)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(await shop.history('product', productId)).toEqual(['ProductAdded', 'StockReduced']);
    expect(await shop.history('order', idOf(answers[0] ?? { body: null }))).toEqual(['OrderPlaced']);
  });

  it('CMD3 answers as at first after a price change, a payment and a removal; another body is 422', async () => {
    const shop = await open();
    const { admin, shopper, productId, pay } = await stockedShop(shop, { price: 1000 });
    const headers = { 'idempotency-key': 'once' };
    const order = { ...orderOf(shopper, productId, 2), price: 1000 };
    const first = await shopper.call('POST', '/orders', order, headers);
    await pay(idOf(first), 2000);
    await admin.call('PUT', `/products/${productId}`, { price: 1100 });
    await admin.call('DELETE', `/products/${productId}`);
    const before = await shop.eventCount();
    expect(await shopper.call('POST', '/orders', order, headers)).toMatchObject({
      status: 201,
      body: first.body as object,
    });
    for (const change of [{ quantity: 3 }, { address: 'Elsewhere' }, { price: 1100 }]) {
      expect(await shopper.call('POST', '/orders', { ...order, ...change }, headers)).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      });
    }
    expect(await shop.eventCount()).toBe(before);
  });

  it('CMD3 a refusal is not remembered', async () => {
    const shop = await open();
    const { admin, shopper, productId } = await stockedShop(shop, { quantity: 1 });
    const headers = { 'idempotency-key': 'later' };
    const order = orderOf(shopper, productId, 2);
    expect((await shopper.call('POST', '/orders', order, headers)).status).toBe(422);
    await admin.call('PUT', `/products/${productId}`, { quantity: 5, version: 1 });
    expect((await shopper.call('POST', '/orders', order, headers)).status).toBe(201);
  });

  it('ORD2 200 parallel orders for 50 pieces: exactly 50 are placed', async () => {
    const shop = await open(({ settings }) => ({ settings: { ...settings, maxUnpaidOrders: 0 } }));
    const { shopper, productId } = await stockedShop(shop, { quantity: 50 });
    const statuses: number[] = [];
    await inParallel(200, 64, async () => {
      statuses.push((await shopper.call('POST', '/orders', orderOf(shopper, productId))).status);
    });
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    expect(statuses.filter((status) => status === 422)).toHaveLength(150);
    const product = (await shop.call('GET', `/products/${productId}`)).body as ProductView;
    expect(product.quantity).toBe(0);
  });
});

describe('what a customer may hold unpaid', () => {
  const codeOf = ({ status, body }: { status: number; body: unknown }) =>
    `${status} ${(body as { code?: string }).code}`;

  it('S2 ORD7 ten unpaid orders, then 409 with a sentence that says what to do; a cancelled one makes room', async () => {
    const shop = await open();
    const { shopper, productId, place } = await stockedShop(shop);
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(await place());
    const refused = await shopper.call('POST', '/orders', orderOf(shopper, productId));
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'too_many_unpaid_orders',
        title: 'You have too many unpaid orders. Pay or cancel one, then order again.',
        detail: 'You have 10 unpaid orders. Pay or cancel one, then order again.',
      },
    });
    expect(await shop.history('product', productId)).toHaveLength(11);
    await shopper.call('DELETE', `/orders/${ids[3]}`);
    await place();
    expect(codeOf(await shopper.call('POST', '/orders', orderOf(shopper, productId)))).toMatch(/^409/);
    await place(1, await shop.signIn('other@shop.test'));
  });

  it('S2 ORD7 whoever places and cancels again and again is told to wait, and for how long', async () => {
    const shop = await open();
    const { shopper, productId, place } = await stockedShop(shop);
    for (let n = 0; n < 30; n += 1) await shopper.call('DELETE', `/orders/${await place()}`);
    const refused = await shopper.call('POST', '/orders', orderOf(shopper, productId));
    expect(codeOf(refused)).toBe('429 orders_too_fast');
    expect(refused.headers.get('retry-after')).toBe('5');
    shop.advance(5_000);
    await place();
  });

  it('S2 ORD6 ORD7 an unverified e-mail has 3, each for half an hour; another may not hold more than half for longer', async () => {
    const verified = new Set(['boss@shop.test', 'rumi@shop.test']);
    const identity: IdentityProvider = {
      ...plainIdentity,
      async verifyIdToken(token) {
        const person = await plainIdentity.verifyIdToken(token);
        return { ...person, emailVerified: verified.has(person.email) };
      },
    };
    const shop = await open(({ clientConfig }) => ({
      identity,
      clientConfig: { ...clientConfig, firebase: { mode: 'live', config: {} } },
    }));
    const { shopper, productId, place } = await stockedShop(shop, { quantity: 10 });
    const newcomer = await shop.signIn('newcomer@shop.test');
    const expiryOf = async (id: string, by = shopper) =>
      ((await by.call('GET', `/orders/${id}`)).body as OrderView).expiresAt;
    expect(await expiryOf(await place(1, newcomer), newcomer)).toBe('2026-02-03T04:35:06.000Z');
    for (let n = 1; n < 3; n += 1) await place(1, newcomer);
    const refused = await newcomer.call('POST', '/orders', orderOf(newcomer, productId));
    expect(refused.body).toMatchObject({ detail: 'You have 3 unpaid orders. Pay or cancel one, then order again.' });
    expect(await expiryOf(await place(3))).toBe('2026-02-03T05:05:06.000Z');
    expect(await expiryOf(await place(1))).toBe('2026-02-03T04:35:06.000Z');
  });

  it('S2 ORD7 0 lifts every limit', async () => {
    const shop = await open(({ settings }) => ({ settings: { ...settings, maxUnpaidOrders: 0 } }));
    const { shopper, place } = await stockedShop(shop);
    for (let n = 0; n < 32; n += 1) await place();
    expect(await shop.events('allowance', shop.userId(shopper.email))).toEqual([]);
  });
});

describe('the life of an order', () => {
  it('C16 ORD4 ships a paid order once, and no unpaid or cancelled one', async () => {
    const shop = await open();
    const { admin, shopper, place, pay } = await stockedShop(shop);
    const orderId = await place();
    const path = `/orders/${orderId}`;
    expect(await admin.call('PUT', path)).toMatchObject({ status: 409, body: { code: 'order_not_paid' } });
    await pay(orderId, 1000);
    expect((await admin.call('PUT', path)).body).toMatchObject({ matchedCount: 1, modifiedCount: 1, version: 4 });
    expect((await admin.call('PUT', path)).body).toMatchObject({ matchedCount: 1, modifiedCount: 0, version: 4 });
    expect((await shopper.call('GET', path)).body).toMatchObject({ paid: true, status: 'shipped' });
    const cancelled = await place();
    await shopper.call('DELETE', `/orders/${cancelled}`);
    expect(await admin.call('PUT', `/orders/${cancelled}`)).toMatchObject({
      status: 409,
      body: { code: 'order_cancelled' },
    });
  });

  it('C23 ORD9 corrects phone and address until the order ships, and the push of the view has them', async () => {
    const shop = await open();
    const { admin, shopper, place, pay } = await stockedShop(shop);
    const orderId = await place();
    const [path, delivery] = [`/orders/${orderId}`, `/orders/${orderId}/delivery`];
    const pushed: unknown[] = [];
    await shop.core.broadcast.subscribe({
      message: ({ push, audiences }) => void (push.id === orderId && pushed.push({ view: push.view, audiences })),
      live: () => {},
    });
    const answer = await shopper.call('PUT', delivery, { phone: '+880 1811-222333' });
    expect(answer).toMatchObject({ status: 200, body: { matchedCount: 1, modifiedCount: 1, version: 2 } });
    const address = 'House 9, Road 27, Dhanmondi, Dhaka';
    await pay(orderId, 1000);
    shop.advance(60_000);
    expect((await admin.call('PUT', delivery, { address })).body).toMatchObject({ modifiedCount: 1, version: 5 });
    const corrected = { phone: '8801811222333', address, deliveryChangedAt: '2026-02-03T04:06:06.000Z', paid: true };
    expect((await shopper.call('GET', path)).body).toMatchObject(corrected);
    await vi.waitFor(() => expect(pushed.at(-1)).toMatchObject({ view: corrected }));
    expect(pushed.at(-1)).toMatchObject({ audiences: expect.arrayContaining(['admins']) });
    const [, first, , , second] = await shop.events('order', orderId);
    expect(first).toMatchObject({ type: 'DeliveryChanged', data: { personal: { phone: '8801811222333' } } });
    expect(second).toMatchObject({ type: 'DeliveryChanged', data: { personal: { address } } });
    const timeline = (await shopper.call('GET', `${path}/timeline`)).body as { type: string }[];
    expect(timeline.map(({ type }) => type)).toEqual([
      'placed',
      'delivery_changed',
      'payment_started',
      'paid',
      'delivery_changed',
    ]);
    expect((await shopper.call('PUT', delivery, { address, phone: '8801811222333' })).body).toMatchObject({
      modifiedCount: 0,
      version: 5,
    });
    await admin.call('PUT', path);
    const before = await shop.eventCount();
    for (const changes of [{ address: 'Elsewhere' }, {}]) {
      const refused = await shopper.call('PUT', delivery, changes);
      expect(refused).toMatchObject({ status: 409, body: { code: 'order_shipped' } });
    }
    expect(await shop.eventCount()).toBe(before);
  });

  it('C23 ORD9 AUTH1 corrects no cancelled order, and nobody else’s', async () => {
    const shop = await open();
    const { shopper, place } = await stockedShop(shop);
    const orderId = await place();
    const other = await shop.signIn('mina@shop.test');
    const before = await shop.eventCount();
    expect((await other.call('PUT', `/orders/${orderId}/delivery`, { address: 'Mine' })).status).toBe(403);
    expect(await shop.eventCount()).toBe(before);
    await shopper.call('DELETE', `/orders/${orderId}`);
    const late = await shopper.call('PUT', `/orders/${orderId}/delivery`, { address: 'Late' });
    expect(late).toMatchObject({ status: 409, body: { code: 'order_cancelled' } });
  });

  it('C14 PAY4 PAY6 the timeline tells what became of each payment', async () => {
    const shop = await open();
    const { shopper, place } = await stockedShop(shop);
    const orderId = await place();
    const money = { amount: 100_000, currency: 'bdt' };
    const commands: OrderCommand[] = [
      { type: 'StartPayment', intent: 'pi_1', attempt: 1, amount: 100_000 },
      { type: 'AbandonPayment', intent: 'pi_1' },
      { type: 'StartPayment', intent: 'pi_2', attempt: 2, amount: 100_000 },
      { type: 'CancelOrder' },
      { type: 'SettlePayment', intent: 'pi_2', ...money },
      { type: 'RecordFailedRefund', intent: 'pi_2', refund: 're_1', failure: 'lost_or_stolen_card' },
      { type: 'RecordRefund', intent: 'pi_2', refund: 're_2', amount: 100_000 },
    ];
    const meta = { actor: 'system:test', correlationId: 'test', time: '2026-02-03T04:05:07.000Z' };
    for (const [index, command] of commands.entries()) {
      await shop.dependencies.handler.execute(orderDecider, orderId, command, { ...meta, cause: `${index}` });
    }
    const timeline = await shopper.call('GET', `/orders/${orderId}/timeline`);
    const second = { transactionId: 'pi_2', amount: 1000 };
    expect((timeline.body as object[]).slice(1)).toMatchObject([
      { type: 'payment_started', transactionId: 'pi_1', amount: 1000 },
      { type: 'payment_abandoned', transactionId: 'pi_1' },
      { type: 'payment_started', ...second },
      { type: 'cancelled' },
      { type: 'refund_due', ...second, reason: 'order_cancelled' },
      { type: 'refund_failed', ...second },
      { type: 'refunded', ...second },
    ]);
  });

  it('C18 ORD5 cancels an unpaid order once; the stock comes back once', async () => {
    const shop = await open();
    const { shopper, productId, place } = await stockedShop(shop, { quantity: 10 });
    const path = `/orders/${await place(4)}`;
    expect((await shopper.call('DELETE', path)).body).toEqual({ acknowledged: true, deletedCount: 1 });
    expect((await shopper.call('DELETE', path)).body).toEqual({ acknowledged: true, deletedCount: 0 });
    await vi.waitFor(async () => {
      expect((await shop.call('GET', `/products/${productId}`)).body).toMatchObject({ quantity: 10 });
    });
    await shop.feed.caughtUp();
    expect(await shop.history('product', productId)).toEqual(['ProductAdded', 'StockReduced', 'StockReturned']);
  });

  it('C18 a paid order is not cancelled', async () => {
    const shop = await open();
    const { shopper, place, pay } = await stockedShop(shop);
    const orderId = await place();
    await pay(orderId, 1000);
    expect(await shopper.call('DELETE', `/orders/${orderId}`)).toMatchObject({
      status: 409,
      body: { code: 'order_paid' },
    });
    expect((await shop.history('order', orderId)).at(-1)).toBe('PaymentRecorded');
  });

  it('C18 a cancelled order leaves both lists, and goes on answering owner and admins', async () => {
    const shop = await open();
    const { admin, shopper, place } = await stockedShop(shop);
    const kept = await place();
    const orderId = await place();
    await shopper.call('DELETE', `/orders/${orderId}`);
    const mine = `/individual?email=${shopper.email}`;
    const idsOf = async (path: string, by = admin) =>
      ((await by.call('GET', path)).body as OrderView[]).map(({ _id }) => _id);
    expect(await idsOf(mine, shopper)).toEqual([kept]);
    expect(await idsOf('/orders')).toEqual([kept]);
    expect(await idsOf(`${mine}&status=cancelled`, shopper)).toEqual([orderId]);
    expect(await idsOf('/orders?status=cancelled')).toEqual([orderId]);
    // ORD13: who did it is told to the admin alone.
    for (const [by, who] of [
      [admin, { by: 'customer' }],
      [shopper, {}],
    ] as const) {
      expect((await by.call('GET', `/orders/${orderId}`)).body).toMatchObject({
        cancelledAt: '2026-02-03T04:05:06.000Z',
        cancelReason: 'customer',
      });
      expect((await by.call('GET', `/orders/${orderId}/timeline`)).body).toEqual([
        { type: 'placed', at: '2026-02-03T04:05:06.000Z', version: 1, amount: 1000, ...who },
        { type: 'cancelled', at: '2026-02-03T04:05:06.000Z', version: 2, ...who },
      ]);
    }
  });

  it('E30 ORD13 an order that an admin cancelled says so to its customer, and an own order of an admin is cancelled by its customer', async () => {
    const shop = await open();
    const { admin, shopper, place } = await stockedShop(shop);
    const cancelledBy = async (person: typeof admin, orderId: string) => {
      expect((await person.call('DELETE', `/orders/${orderId}`)).status).toBe(200);
      return ((await person.call('GET', `/orders/${orderId}`)).body as OrderView).cancelReason;
    };
    const orderId = await place();
    expect(await cancelledBy(admin, orderId)).toBe('admin');
    const seen = await shopper.call('GET', `/orders/${orderId}`);
    expect(seen.body).toMatchObject({ cancelReason: 'admin' });
    expect(JSON.stringify((await shopper.call('GET', `/orders/${orderId}/timeline`)).body)).not.toContain(admin.email);
    // A repeat changes nothing of it.
    await shopper.call('DELETE', `/orders/${orderId}`);
    expect((await shopper.call('GET', `/orders/${orderId}`)).body).toMatchObject({ cancelReason: 'admin' });
    expect(await cancelledBy(admin, await place(1, admin))).toBe('customer');
  });

  it('C14 the timeline tells each step with its time, transaction and amount', async () => {
    const shop = await open();
    const { admin, shopper, place, pay } = await stockedShop(shop);
    const orderId = await place(2);
    shop.advance(1000);
    const transactionId = await pay(orderId, 2000);
    shop.advance(1000);
    await admin.call('PUT', `/orders/${orderId}`);
    const paidAt = '2026-02-03T04:05:07.000Z';
    expect((await shopper.call('GET', `/orders/${orderId}/timeline`)).body).toEqual([
      { type: 'placed', at: '2026-02-03T04:05:06.000Z', version: 1, amount: 2000 },
      { type: 'payment_started', at: paidAt, version: 2, transactionId, amount: 2000 },
      { type: 'paid', at: paidAt, version: 3, transactionId, amount: 2000 },
      { type: 'shipped', at: '2026-02-03T04:05:08.000Z', version: 4 },
    ]);
  });

  it('C13 C15 K3 lists are oldest first; a customer’s list holds that customer’s orders alone', async () => {
    const shop = await open();
    const { admin, shopper, place } = await stockedShop(shop);
    const other = await shop.signIn('mina@shop.test');
    const first = await place();
    shop.advance(10);
    const second = await place(1, other);
    shop.advance(10);
    const third = await place();
    const idsOf = async (path: string, by = admin) =>
      ((await by.call('GET', path)).body as OrderView[]).map(({ _id }) => _id);
    expect(await idsOf('/orders')).toEqual([first, second, third]);
    expect(await idsOf('/orders?sort=newest')).toEqual([third, second, first]);
    expect(await idsOf(`/individual?email=${shopper.email.toUpperCase()}`, shopper)).toEqual([first, third]);
    expect(await idsOf(`/individual?email=${other.email}`)).toEqual([second]);
    expect(await idsOf(`/individual?email=nobody@shop.test`)).toEqual([]);
  });
});
