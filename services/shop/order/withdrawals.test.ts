import { describe, expect, it } from 'vitest';
import type { OrderView } from '../../contracts/order/order-view.ts';
import { testShops } from '../../http/test-shop.fixture.ts';
import { userDecider } from '../people/decide-user.ts';
import { MINUTE, openLosing, PARCEL, SECOND, shipping } from './shipping-shop.fixture.ts';

const open = testShops();

describe('withdrawing a shipment', () => {
  it("C28 ORD11 ORD4 a withdrawal within 30 seconds clears an order's shipment, and the order can then ship again as shipment 2", async () => {
    const shop = await open();
    const { admin, paid, withdraw, view, timeline } = await shipping(shop);
    const orderId = await paid();
    await admin.call('PUT', `/orders/${orderId}`, { version: 2, ...PARCEL });
    expect(await view(orderId)).toMatchObject({ status: 'shipped', shipment: 1, ...PARCEL, version: 4 });
    shop.advance(30 * SECOND);
    expect((await withdraw(orderId, { shipment: 1 })).body).toMatchObject({ modifiedCount: 1, version: 5 });
    const none = { shipment: null, carrier: null, trackingNumber: null };
    expect(await view(orderId)).toMatchObject({ paid: true, status: '', shippedAt: null, ...none });
    const listed = await admin.call('GET', '/orders?status=paid');
    expect((listed.body as OrderView[]).map(({ _id }) => _id)).toEqual([orderId]);
    await admin.call('PUT', `/orders/${orderId}`, { version: 5 });
    expect(await view(orderId)).toMatchObject({ status: 'shipped', ...none, shipment: 2 });
    expect((await timeline(orderId)).map(({ type, withdrawal }) => [type, withdrawal])).toEqual([
      ['placed', undefined],
      ['paid', undefined],
      ['shipped', undefined],
      ['parcel_recorded', undefined],
      ['shipment_withdrawn', null],
      ['shipped', undefined],
    ]);
  });

  it("C28 ORD11 a withdrawal must give the number of the order's current shipment, needs a reason after 30 seconds and is refused after 15 minutes", async () => {
    const shop = await open();
    const { admin, paid, withdraw, timeline } = await shipping(shop);
    const orderId = await paid();
    const refusedWith = (status: number, code: string) => ({ status, body: { code } });
    expect(await withdraw(orderId, { shipment: 1 })).toMatchObject(refusedWith(409, 'order_not_shipped'));
    await admin.call('PUT', `/orders/${orderId}`);
    shop.advance(31 * SECOND);
    expect(await withdraw(orderId, { shipment: 2 })).toMatchObject(refusedWith(409, 'order_not_shipped'));
    expect(await withdraw(orderId, { shipment: 1 })).toMatchObject(refusedWith(422, 'reason_required'));
    const body = { shipment: 1, reason: 'not_collected' };
    const headers = { 'idempotency-key': 'once' };
    expect((await withdraw(orderId, body, headers)).body).toMatchObject({ modifiedCount: 1, version: 4 });
    expect((await withdraw(orderId, body, headers)).body).toMatchObject({ modifiedCount: 0, version: 4 });
    const other = await withdraw(orderId, { ...body, reason: 'damaged' }, headers);
    expect(other).toMatchObject(refusedWith(422, 'idempotency_key_reused'));
    expect((await timeline(orderId)).at(-1)).toMatchObject({ type: 'shipment_withdrawn', withdrawal: 'not_collected' });
    await admin.call('PUT', `/orders/${orderId}`);
    shop.advance(15 * MINUTE + 1);
    const late = await withdraw(orderId, { shipment: 2, reason: 'mistake' });
    expect(late).toMatchObject(refusedWith(409, 'shipment_final'));
  });

  it('ORD11 ERASE1 a withdrawal is refused while the customer is being erased, because the order could never ship again', async () => {
    const shop = await open();
    const { admin, shopper, paid, withdraw, view } = await shipping(shop);
    const orderId = await paid();
    await admin.call('PUT', `/orders/${orderId}`);
    const close = { type: 'CloseAccount', reason: 'erased', delisted: 0 } as const;
    const meta = { cause: 'erase', actor: 'system:test', correlationId: 'test', time: '2026-02-03T04:05:06.000Z' };
    await shop.dependencies.handler.execute(userDecider, shop.userId(shopper.email), close, meta);
    const refused = await withdraw(orderId, { shipment: 1 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'shipment_final' } });
    expect((await view(orderId, admin)).status).toBe('shipped');
  });
});

describe('withdrawing several shipments', () => {
  const named = (ids: readonly string[], shipment = 1) => ({ orders: ids.map((id) => ({ id, shipment })) });

  it('ORD11 POST /withdrawals reports for each shipment, in request order, that it was withdrawn or why its withdrawal was refused', async () => {
    const shop = await open();
    const { admin, paid, ship, withdraw, view } = await shipping(shop);
    const [old, first, second, back] = await Promise.all([paid(), paid(), paid(), paid()]);
    await ship([old], 'old');
    shop.advance(31 * SECOND);
    await ship([first, second, back], 'new');
    await withdraw(back, { shipment: 1 });
    const unheard = 'f'.repeat(32);
    const { body } = await admin.call('POST', '/withdrawals', named([second, old, unheard, back, first]));
    const refusal = (id: string, code: string) => ({ id, outcome: 'refused', code, title: expect.any(String) });
    expect(body).toEqual([
      { id: second, outcome: 'withdrawn', version: 4 },
      refusal(old, 'reason_required'),
      refusal(unheard, 'not_found'),
      refusal(back, 'order_not_shipped'),
      { id: first, outcome: 'withdrawn', version: 4 },
    ]);
    expect(await view(first, admin)).toMatchObject({ status: '', shipment: null, version: 4 });
    expect((await view(old, admin)).status).toBe('shipped');
    const reasoned = { orders: [{ id: old, shipment: 1, reason: 'damaged' }] };
    expect((await admin.call('POST', '/withdrawals', reasoned)).body).toMatchObject([{ outcome: 'withdrawn' }]);
  });

  it("ORD11 CMD3 a retry with the same Idempotency-Key gets the first response and does not withdraw an order's later shipment", async () => {
    const shop = await open();
    const { admin, paid, ship, shipments, view } = await shipping(shop);
    const ids = [await paid(), await paid()];
    await ship(ids, 'a');
    const undo = () => admin.call('POST', '/withdrawals', named(ids), { 'idempotency-key': 'undo' });
    const { body: first } = await undo();
    const [id = ''] = ids;
    await admin.call('PUT', `/orders/${id}`, { version: 4 });
    expect((await undo()).body).toEqual(first);
    expect(await view(id, admin)).toMatchObject({ status: 'shipped', shipment: 2 });
    expect(await shipments(id)).toBe(2);
    const other = await admin.call('POST', '/withdrawals', named([id], 2), { 'idempotency-key': 'undo' });
    expect(other.body).toMatchObject([{ outcome: 'refused', code: 'idempotency_key_reused' }]);
  });

  it('ORD11 CMD7 if the store becomes unavailable while shipments are being withdrawn, a retry with the same Idempotency-Key withdraws the remaining shipments', async () => {
    const { shop, lose } = await openLosing(open);
    const { admin, paid, ship } = await shipping(shop);
    const ids = [await paid(), await paid(), await paid()];
    await ship(ids, 'a');
    const undo = () => admin.call('POST', '/withdrawals', named(ids), { 'idempotency-key': 'undo' });
    lose(ids[1]);
    expect(await undo()).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    lose(undefined);
    expect((await undo()).body).toEqual(ids.map((id) => ({ id, outcome: 'withdrawn', version: 4 })));
  });

  it("ORD11 ERASE1 a withdrawal is refused for an order whose customer is being erased, but the request's other shipments are withdrawn", async () => {
    const shop = await open();
    const { admin, shopper, paid, paidBy, ship, view } = await shipping(shop);
    const leaving = await paid();
    const staying = await paidBy(await shop.signIn('nadia@shop.test'));
    await ship([leaving, staying], 'a');
    const close = { type: 'CloseAccount', reason: 'erased', delisted: 0 } as const;
    const meta = { cause: 'erase', actor: 'system:test', correlationId: 'test', time: '2026-02-03T04:05:06.000Z' };
    await shop.dependencies.handler.execute(userDecider, shop.userId(shopper.email), close, meta);
    expect((await admin.call('POST', '/withdrawals', named([leaving, staying]))).body).toMatchObject([
      { id: leaving, outcome: 'refused', code: 'shipment_final' },
      { id: staying, outcome: 'withdrawn' },
    ]);
    expect((await view(leaving, admin)).status).toBe('shipped');
  });

  it('ORD11 one request can withdraw 200 shipments, but a request with no shipments, 201 shipments or a duplicate gets a 422', async () => {
    const shop = await open(({ settings }) => ({ settings: { ...settings, maxUnpaidOrders: 0 } }));
    const { admin, paid, ship } = await shipping(shop);
    const ids = await Promise.all(Array.from({ length: 200 }, paid));
    await ship(ids, 'all');
    const { body } = await admin.call('POST', '/withdrawals', named(ids));
    expect(body).toEqual(ids.map((id) => ({ id, outcome: 'withdrawn', version: 4 })));
    for (const wrong of [[], [...ids, 'f'.repeat(32)], [ids[0] ?? '', ids[0] ?? '']]) {
      expect((await admin.call('POST', '/withdrawals', named(wrong))).status).toBe(422);
    }
  });
});
