import { describe, expect, it } from 'vitest';
import { testShops } from '../../http/test-shop.fixture.ts';
import { MINUTE, openLosing, shipping } from './shipping-shop.fixture.ts';

const open = testShops();

describe('shipping several orders', () => {
  it('C27 ORD10 POST /shipments reports for each order, in request order, that it was shipped, why it was refused, or who had already shipped it and when', async () => {
    const shop = await open();
    const { admin, shopper, second, place, paid, ship, view } = await shipping(shop);
    const [first, moved, unpaid, before, unheard] = [
      await paid(),
      await paid(),
      await place(),
      await paid(),
      'f'.repeat(32),
    ] as [string, string, string, string, string];
    await shopper.call('PUT', `/orders/${moved}/delivery`, { address: 'House 9, Sylhet' });
    await second.call('PUT', `/orders/${before}`);
    shop.advance(MINUTE);
    expect(await ship([moved, first, unheard, before, unpaid], 'a')).toEqual([
      {
        id: moved,
        outcome: 'refused',
        code: 'order_changed',
        title: 'This order has changed since you saw it. Check it, then ship it.',
        version: 3,
      },
      { id: first, outcome: 'shipped', version: 3, shipment: 1 },
      { id: unheard, outcome: 'refused', code: 'not_found', title: 'There is nothing at this address.' },
      { id: before, outcome: 'already_shipped', by: 'mina', at: '2026-02-03T04:05:06.000Z', version: 3 },
      { id: unpaid, outcome: 'refused', code: 'order_not_paid', title: 'This order is not paid yet.' },
    ]);
    expect(await view(first, admin)).toMatchObject({ status: 'shipped', shipment: 1, version: 3 });
    expect(await view(moved, admin)).toMatchObject({ status: '', shipment: null, version: 3 });
  });

  it('ORD10 CMD3 a retry with the same Idempotency-Key gets the first response and ships nothing, even after a shipment was withdrawn and its order shipped again', async () => {
    const shop = await open();
    const { paid, ship, withdraw, shipments, seen, admin } = await shipping(shop);
    const ids = [await paid(), await paid()];
    const first = await ship(ids, 'a');
    expect(await ship(ids, 'a')).toEqual(first);
    const [id = ''] = ids;
    expect((await withdraw(id, { shipment: 1 })).body).toMatchObject({ modifiedCount: 1, version: 4 });
    expect(await ship(ids, 'a')).toEqual(first);
    expect(await ship([id], 'b')).toMatchObject([{ outcome: 'refused', code: 'order_changed', version: 4 }]);
    expect(await shipments(id)).toBe(1);
    await admin.call('PUT', `/orders/${id}`, { version: 4 });
    expect(await ship(ids, 'a')).toEqual(first);
    expect(await shipments(id)).toBe(2);
    // Reusing the key with a different body is refused.
    const other = await admin.call('POST', '/shipments', seen([id], 4), { 'idempotency-key': 'a' });
    expect(other.body).toMatchObject([{ id, outcome: 'refused', code: 'idempotency_key_reused' }]);
  });

  it('ORD10 if two admins ship overlapping selections of orders at once, each order is shipped by one admin, and the other is told who shipped it', async () => {
    // All 30 orders are placed concurrently, which could exceed the limit of ten unpaid orders, so the limit is turned
    // off.
    const shop = await open(({ settings }) => ({ settings: { ...settings, maxUnpaidOrders: 0 } }));
    const { admin, second, paid, ship, shipments } = await shipping(shop);
    const ids = await Promise.all(Array.from({ length: 30 }, paid));
    // Idempotency keys are scoped to an admin, so both admins can send the same key.
    const [left, right] = await Promise.all([
      ship(ids.slice(0, 20), 'one', admin),
      ship(ids.slice(10).reverse(), 'one', second),
    ]);
    const told = new Map(ids.map((id) => [id, [...left, ...right].filter((outcome) => outcome.id === id)]));
    for (const [id, outcomes] of told) {
      expect(await shipments(id)).toBe(1);
      expect(outcomes.filter(({ outcome }) => outcome === 'shipped')).toHaveLength(1);
      for (const outcome of outcomes.filter((one) => one.outcome !== 'shipped')) {
        const by = left.some((one) => one.id === id && one.outcome === 'shipped') ? 'boss' : 'mina';
        expect(outcome).toMatchObject({ outcome: 'already_shipped', by, at: '2026-02-03T04:05:06.000Z', version: 3 });
      }
    }
  });

  it('ORD10 CMD7 if the store becomes unavailable while orders are being shipped, a retry with the same Idempotency-Key ships the remaining orders', async () => {
    const { shop, lose } = await openLosing(open);
    const { admin, paid, ship, seen, shipments } = await shipping(shop);
    const ids = [await paid(), await paid(), await paid()];
    lose(ids[1]);
    const cut = await admin.call('POST', '/shipments', seen(ids), { 'idempotency-key': 'cut' });
    expect(cut).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    lose(undefined);
    expect(await ship(ids, 'cut')).toEqual(ids.map((id) => ({ id, outcome: 'shipped', version: 3, shipment: 1 })));
    for (const id of ids) expect(await shipments(id)).toBe(1);
  });

  it('C27 one request can ship 200 orders, but a request with no orders, 201 orders or a duplicate order gets a 422', async () => {
    const shop = await open(({ settings }) => ({ settings: { ...settings, maxUnpaidOrders: 0 } }));
    const { admin, paid, ship, seen } = await shipping(shop);
    const ids = await Promise.all(Array.from({ length: 200 }, paid));
    const outcomes = await ship(ids, 'all');
    expect(outcomes.map(({ id }) => id)).toEqual(ids);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['shipped']));
    for (const wrong of [[], [...ids, 'f'.repeat(32)], [ids[0] ?? '', ids[0] ?? '']]) {
      expect((await admin.call('POST', '/shipments', seen(wrong))).status).toBe(422);
    }
  });
});

describe('shipping one order', () => {
  it('C16 ORD10 an order ships only if it is still at the version that the admin saw, and otherwise the admin is told to check the order first', async () => {
    const shop = await open();
    const { admin, shopper, paid } = await shipping(shop);
    const orderId = await paid();
    await shopper.call('PUT', `/orders/${orderId}/delivery`, { address: 'House 9, Sylhet' });
    const path = `/orders/${orderId}`;
    expect(await admin.call('PUT', path, { version: 2 })).toMatchObject({
      status: 409,
      body: { code: 'order_changed', title: expect.stringContaining('Check it, then ship it.') },
    });
    expect((await admin.call('PUT', path, { version: 3 })).body).toMatchObject({ modifiedCount: 1, version: 4 });
    expect((await admin.call('PUT', path, { version: 2 })).body).toMatchObject({ modifiedCount: 0, version: 4 });
  });
});
