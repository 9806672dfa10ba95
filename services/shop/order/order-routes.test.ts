import { describe, expect, it } from 'vitest';
import type { OrderView } from '../../contracts/order/order-view.ts';
import type { ProductView } from '../../contracts/product/product-view.ts';
import { idOfCreation } from '../../http/idempotency.ts';
import { stockedShop, testShops } from '../../http/test-shop.fixture.ts';
import { addProduct, inParallel, orderOf } from '../../whole-shop/shop-client.fixture.ts';

const open = testShops();
const idOf = (answer: { body: unknown }) => (answer.body as { insertedId: string }).insertedId;

describe('placing orders', () => {
  it('C12 placing an order reduces the stock, then creates the order and returns its location', async () => {
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

  it("ORD8 CMD3 a retry with the same Idempotency-Key gets the first order's number and does not use up another number", async () => {
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

  it('ORD8 a refused order does not use up an order number', async () => {
    const shop = await open(({ settings }) => ({ settings: { ...settings, maxUnpaidOrders: 0 } }));
    const { shopper, productId } = await stockedShop(shop, { quantity: 10 });
    for (const quantity of [11, 0, 3]) await shopper.call('POST', '/orders', orderOf(shopper, productId, quantity));
    const listed = (await shopper.call('GET', `/individual?email=${shopper.email}`)).body as OrderView[];
    expect(listed.map(({ number }) => number)).toEqual(['MC-1001']);
  });

  it('C12 a phone number may contain a plus sign, spaces and hyphens, but only its digits are stored', async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop);
    const order = { ...orderOf(shopper, productId, 1), phone: '+880 1711-000000' };
    const { insertedId } = (await shopper.call('POST', '/orders', order)).body as { insertedId: string };
    expect((await shopper.call('GET', `/orders/${insertedId}`)).body).toMatchObject({ phone: '8801711000000' });
  });

  it('C14 GET /orders/:id returns the order with every field that the pages show', async () => {
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

  it('K1 totalPrice is the unit price times the quantity, rounded down to whole taka, whatever total the request body gives', async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop, { price: 333.33 });
    const answer = await shopper.call('POST', '/orders', { ...orderOf(shopper, productId, 5), totalPrice: 1 });
    expect((await shopper.call('GET', `/orders/${idOf(answer)}`)).body).toMatchObject({ totalPrice: 1666 });
  });

  it.each([
    ['below minorder', 1],
    ['above the stock', 11],
    ['of zero', 0],
    ['below zero', -3],
  ])(
    "ORD3 an order with a quantity %s gets 'Quantity does not match minimum requirements' and appends no event",
    async (_case, quantity) => {
      const shop = await open();
      const { shopper, productId } = await stockedShop(shop, { quantity: 10, minorder: 2 });
      const before = await shop.eventCount();
      expect(await shopper.call('POST', '/orders', orderOf(shopper, productId, quantity))).toMatchObject({
        status: 422,
        body: { code: 'quantity_out_of_range', title: 'Quantity does not match minimum requirements' },
      });
      expect(await shop.eventCount()).toBe(before);
    },
  );

  it("CMD6 an order whose price differs from the product's gets a 409 and is not placed", async () => {
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

  it('CMD6 an order with a total above 999,999 taka is refused', async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop, { price: 500_000, quantity: 10 });
    const refused = await shopper.call('POST', '/orders', orderOf(shopper, productId, 2));
    expect(refused).toMatchObject({ status: 422, body: { code: 'total_too_large' } });
    expect(await shop.history('product', productId)).toEqual(['ProductAdded']);
  });

  it('C12 an order for an unknown product id gets a 404', async () => {
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

  it('C12 an order without a productId is accepted only if its product name matches exactly one product', async () => {
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
    // A retry of the first request gets the same response, even though the name is ambiguous by now (CMD3).
    expect((await shopper.call('POST', '/orders', byName, headers)).body).toEqual(first.body);
    const other = await shopper.call('POST', '/orders', { ...byName, product: 'Nothing' }, headers);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  it("AUTH1 an order with an e-mail address other than the caller's gets a 403 and appends no event", async () => {
    const shop = await open();
    const { admin, shopper, productId } = await stockedShop(shop);
    const before = await shop.eventCount();
    const order = { ...orderOf(shopper, productId), email: admin.email };
    expect((await shopper.call('POST', '/orders', order)).status).toBe(403);
    expect(await shop.eventCount()).toBe(before);
  });
});

describe('retrying an order', () => {
  it('CMD3 64 parallel requests with the same Idempotency-Key place only one order', async () => {
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

  it('CMD3 a retry gets the first response even after the order was paid and its product repriced and removed, but a different body with the same Idempotency-Key gets a 422', async () => {
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

  it("CMD3 an order's id is derived from the caller, the route (POST /orders) and the Idempotency-Key", async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop);
    const placed = await shopper.call('POST', '/orders', orderOf(shopper, productId), { 'idempotency-key': 'k-1' });
    const creation = { userId: shop.userId(shopper.email), route: 'POST /orders', key: 'k-1' };
    expect(idOf(placed)).toBe(idOfCreation(shop.dependencies.secrets.idempotency, creation));
  });

  it('CMD3 a refusal is not stored, so a later retry with the same Idempotency-Key can place the order', async () => {
    const shop = await open();
    const { admin, shopper, productId } = await stockedShop(shop, { quantity: 1 });
    const headers = { 'idempotency-key': 'later' };
    const order = orderOf(shopper, productId, 2);
    expect((await shopper.call('POST', '/orders', order, headers)).status).toBe(422);
    await admin.call('PUT', `/products/${productId}`, { quantity: 5, version: 1 });
    expect((await shopper.call('POST', '/orders', order, headers)).status).toBe(201);
  });

  it('ORD2 if 200 orders are sent in parallel for a product with 50 in stock, exactly 50 are placed', async () => {
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
