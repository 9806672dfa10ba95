import { describe, expect, it } from 'vitest';
import type { ShipmentOutcome } from '../contracts/answers.ts';
import { parcelLink } from '../contracts/carriers.ts';
import type { OrderView, TimelineEntry } from '../contracts/views.ts';
import { StoreUnavailable } from '../runtime/store-unavailable.ts';
import { orderDecider } from '../shop/order/decide-order.ts';
import { userDecider } from '../shop/user/decide-user.ts';
import { stockedShop, type TestShop, testShops } from './test-shop.fixture.ts';

const open = testShops();
const [SECOND, MINUTE] = [1_000, 60_000];
const PARCEL = { carrier: 'steadfast', trackingNumber: 'SF-1042' } as const;

/** A shop whose log is away for the order that `lose` names, until it names none. */
async function openLosing() {
  let lost: string | undefined;
  const shop = await open(({ handler }) => ({
    handler: {
      ...handler,
      execute: (decider, id, ...rest) =>
        id === lost ? Promise.reject(new StoreUnavailable('log')) : handler.execute(decider, id, ...rest),
    },
  }));
  return {
    shop,
    lose(id: string | undefined) {
      lost = id;
    },
  };
}

/** A shop with two admins, whose orders are paid without asking Stripe. */
async function shipping(shop: TestShop) {
  const stocked = await stockedShop(shop, { quantity: 1000 });
  const { admin, shopper, place } = stocked;
  const second = await shop.signIn('mina@shop.test');
  await admin.call('PUT', `/users/admin/${second.email}`);

  /** Places an order and pays it: its version is 2 then. */
  async function paidBy(buyer: typeof shopper): Promise<string> {
    const orderId = await place(1, buyer);
    const settle = { type: 'SettlePayment', intent: `pi_${orderId}`, amount: 100_000, currency: 'bdt' } as const;
    const meta = { cause: 'settle', actor: 'system:test', correlationId: 'test', time: '2026-02-03T04:05:06.000Z' };
    await shop.dependencies.handler.execute(orderDecider, orderId, settle, meta);
    return orderId;
  }
  const paid = () => paidBy(shopper);
  const seen = (ids: readonly string[], version = 2) => ({ orders: ids.map((id) => ({ id, version })) });
  const ship = async (ids: readonly string[], key: string, by = admin) => {
    const { status, body } = await by.call('POST', '/shipments', seen(ids), { 'idempotency-key': key });
    if (status !== 200) throw new Error(`Not shipped: ${status} ${JSON.stringify(body)}`);
    return body as ShipmentOutcome[];
  };
  const withdraw = (orderId: string, body: object, headers = {}) =>
    admin.call('POST', `/orders/${orderId}/withdrawal`, body, headers);
  const view = async (orderId: string, by = shopper) => (await by.call('GET', `/orders/${orderId}`)).body as OrderView;
  const timeline = async (orderId: string, by = admin) =>
    (await by.call('GET', `/orders/${orderId}/timeline`)).body as TimelineEntry[];
  const shipments = async (orderId: string) =>
    (await shop.history('order', orderId)).filter((type) => type === 'OrderShipped').length;
  return { ...stocked, second, paid, paidBy, seen, ship, withdraw, view, timeline, shipments };
}

describe('shipping a selection', () => {
  it('C27 ORD10 answers in the order of the request: shipped, refused with its reason, or shipped before by whom and when', async () => {
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

  it('ORD10 CMD3 a repeat answers as at first and ships nothing, not even after an undo and the next shipment', async () => {
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
    // Another body under the same key is another request.
    const other = await admin.call('POST', '/shipments', seen([id], 4), { 'idempotency-key': 'a' });
    expect(other.body).toMatchObject([{ id, outcome: 'refused', code: 'idempotency_key_reused' }]);
  });

  it('ORD10 of two admins with overlapping selections each order is shipped by one, and the other reads who', async () => {
    // All 30 are placed side by side, so more than the ten that a customer may have unpaid can be unpaid at once.
    const shop = await open(({ settings }) => ({ settings: { ...settings, maxUnpaidOrders: 0 } }));
    const { admin, second, paid, ship, shipments } = await shipping(shop);
    const ids = await Promise.all(Array.from({ length: 30 }, paid));
    // The key is each admin's own, even where both send the same one.
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

  it('ORD10 CMD7 what was cut by a lost store is finished by a repeat with the same key', async () => {
    const { shop, lose } = await openLosing();
    const { admin, paid, ship, seen, shipments } = await shipping(shop);
    const ids = [await paid(), await paid(), await paid()];
    lose(ids[1]);
    const cut = await admin.call('POST', '/shipments', seen(ids), { 'idempotency-key': 'cut' });
    expect(cut).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    lose(undefined);
    expect(await ship(ids, 'cut')).toEqual(ids.map((id) => ({ id, outcome: 'shipped', version: 3, shipment: 1 })));
    for (const id of ids) expect(await shipments(id)).toBe(1);
  });

  it('C27 200 orders are shipped by one request; none, 201 and the same one twice are 422', async () => {
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
  it('C16 ORD10 ships the version seen alone, and says what to do where it has changed', async () => {
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

describe('withdrawing a shipment', () => {
  it('C28 ORD11 ORD4 an undo within 30 seconds leaves the order paid and untouched by its shipment; it ships again as the next', async () => {
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

  it('C28 ORD11 after 30 seconds it needs a reason, after 15 minutes it is final, and it names its shipment', async () => {
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

  it('ORD11 ERASE1 is refused once its customer is being erased: nobody would be there to ship to', async () => {
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

  it('U20 ORD11 answers in the order of the request: taken back, or refused with its reason, as one order is', async () => {
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

  it('U20 ORD11 CMD3 a repeat answers as at first and takes back no later shipment', async () => {
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

  it('U20 ORD11 CMD7 what was cut by a lost store is finished by a repeat with the same key', async () => {
    const { shop, lose } = await openLosing();
    const { admin, paid, ship } = await shipping(shop);
    const ids = [await paid(), await paid(), await paid()];
    await ship(ids, 'a');
    const undo = () => admin.call('POST', '/withdrawals', named(ids), { 'idempotency-key': 'undo' });
    lose(ids[1]);
    expect(await undo()).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    lose(undefined);
    expect((await undo()).body).toEqual(ids.map((id) => ({ id, outcome: 'withdrawn', version: 4 })));
  });

  it('U20 ORD11 ERASE1 refuses the order of a customer who is being erased, and takes back the others', async () => {
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

  it('U20 200 shipments are taken back by one request; none, 201 and the same one twice are 422', async () => {
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

describe('who carries it', () => {
  it('C29 ORD12 is recorded later and corrected, and a tracking page shows it', async () => {
    const shop = await open();
    const { admin, shopper, paid, view } = await shipping(shop);
    const orderId = await paid();
    const path = `/orders/${orderId}/parcel`;
    expect(await admin.call('PUT', path, PARCEL)).toMatchObject({ status: 409, body: { code: 'order_not_shipped' } });
    await admin.call('PUT', `/orders/${orderId}`);
    expect((await admin.call('PUT', path, { ...PARCEL, trackingNumber: ' SF-1 ' })).body).toMatchObject({ version: 4 });
    expect((await admin.call('PUT', path, PARCEL)).body).toMatchObject({ modifiedCount: 1, version: 5 });
    expect((await admin.call('PUT', path, PARCEL)).body).toMatchObject({ modifiedCount: 0, version: 5 });
    expect(await view(orderId)).toMatchObject(PARCEL);
    const { token } = (await shopper.call('POST', `/orders/${orderId}/tracking`)).body as { token: string };
    const tracked = await shop.call('GET', '/tracking', { headers: { 'x-tracking-token': token } });
    expect(tracked.body).toMatchObject({ status: 'shipped', ...PARCEL });
  });

  it('C29 ORD12 is one of the table, with a number that fits into no other place of an address', async () => {
    const shop = await open();
    const { admin, paid } = await shipping(shop);
    const orderId = await paid();
    for (const body of [
      { ...PARCEL, carrier: 'https://evil.test/' },
      { carrier: 'steadfast' },
      { ...PARCEL, trackingNumber: '../../x?y=1' },
      { ...PARCEL, trackingNumber: 'ab' },
    ]) {
      expect((await admin.call('PUT', `/orders/${orderId}`, body)).status).toBe(422);
      expect((await admin.call('PUT', `/orders/${orderId}/parcel`, body)).status).toBe(422);
    }
    expect(parcelLink('steadfast', 'SF-1042')).toBe('https://steadfast.com.bd/t/SF-1042');
  });
});

describe('ORD13 who did it', () => {
  it('is told to admins alone: nothing that the customer or a tracking link gets names one', async () => {
    const shop = await open();
    const { admin, shopper, second, paid, withdraw, timeline } = await shipping(shop);
    const orderId = await paid();
    await shopper.call('PUT', `/orders/${orderId}/delivery`, { address: 'House 9, Sylhet' });
    await second.call('PUT', `/orders/${orderId}`, PARCEL);
    await withdraw(orderId, { shipment: 1, reason: 'damaged' });
    await second.call('PUT', `/orders/${orderId}`);
    expect((await timeline(orderId)).map(({ type, by }) => `${type} ${by}`)).toEqual([
      'placed customer',
      'paid system',
      'delivery_changed customer',
      'shipped mina',
      'parcel_recorded mina',
      'shipment_withdrawn boss',
      'shipped mina',
    ]);
    const { token } = (await shopper.call('POST', `/orders/${orderId}/tracking`)).body as { token: string };
    const bytes: string[] = [];
    for (const path of ['', '/timeline', '/tracking']) {
      bytes.push(JSON.stringify((await shopper.call('GET', `/orders/${orderId}${path}`)).body));
    }
    bytes.push(JSON.stringify((await shopper.call('GET', `/individual?email=${shopper.email}`)).body));
    bytes.push(JSON.stringify((await shopper.call('GET', `/users/${shopper.email}/export`)).body));
    bytes.push(JSON.stringify((await shop.call('GET', '/tracking', { headers: { 'x-tracking-token': token } })).body));
    const admins = [admin, second].flatMap(({ email }) => [email, email.split('@')[0] ?? '', shop.userId(email)]);
    for (const sent of bytes) {
      expect(sent).not.toContain('"by"');
      for (const name of admins) expect(sent).not.toContain(name);
    }
    await admin.call('DELETE', `/users/${second.email}`);
    expect((await timeline(orderId)).at(-1)?.by).toBe('a former admin');
  });
});
