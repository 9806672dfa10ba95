import { describe, expect, it } from 'vitest';
import type { OrderView } from '../../contracts/order/order-view.ts';
import type { TimelineEntry } from '../../contracts/order/timeline.ts';
import { type TestShop, testShops } from '../../http/test-shop.fixture.ts';
import { repetitions } from '../../whole-shop/long-run.fixture.ts';
import { orderDecider } from '../order/decide-order.ts';
import { shipping } from '../order/shipping-shop.fixture.ts';
import { userList } from '../people/user-documents.ts';

const open = testShops();
const RACES = repetitions({ few: 100, many: 1_000 });
const META = { actor: 'system:test', correlationId: 'test', time: '2026-02-03T04:05:06.000Z' };

async function refunding(shop: TestShop) {
  const shipped = await shipping(shop);
  const { admin } = shipped;
  const refund = (orderId: string, body: object = {}, { by = admin, key = 'once' } = {}) => {
    const whole = { amount: 1_000, reason: 'damaged', version: 2 };
    return by.call('POST', `/orders/${orderId}/refunds`, { ...whole, ...body }, { 'idempotency-key': key });
  };
  /** Records that Stripe made a refund of the order's payment, in taka. */
  const report = (orderId: string, amount: number) => {
    const reported = { intent: `pi_${orderId}`, amount: amount * 100, currency: 'bdt', grant: null, failure: null };
    const command = { type: 'ReportRefund', reported: { refund: 're_1', status: 'succeeded', ...reported } } as const;
    return shop.dependencies.handler.execute(orderDecider, orderId, command, { ...META, cause: 'report' });
  };
  const entries = async (orderId: string, by = admin) =>
    (await by.call('GET', `/orders/${orderId}/timeline`)).body as TimelineEntry[];
  return { ...shipped, refund, report, entries };
}

const refusedWith = (status: number, code: string) => ({ status, body: { code } });

describe('PAY8 refunds by an admin', () => {
  it('a part is granted once per Idempotency-Key, and the view says what is returning and what is left', async () => {
    const shop = await open();
    const { paid, refund, view } = await refunding(shop);
    const orderId = await paid();
    expect(await refund(orderId, { amount: 300.5 })).toMatchObject({
      status: 200,
      body: { modifiedCount: 1, version: 3 },
    });
    expect(await refund(orderId, { amount: 300.5 })).toMatchObject({ status: 200, body: { modifiedCount: 0 } });
    expect(await refund(orderId, { amount: 300 })).toMatchObject(refusedWith(422, 'idempotency_key_reused'));
    expect((await view(orderId)).moneyBack).toEqual({ returned: 0, returning: 300.5, left: 699.5 });
  });

  it('ORD13 the admins see who granted it, why, and the note; the customer sees neither the admin nor the note', async () => {
    const shop = await open();
    const { paid, refund, entries, shopper } = await refunding(shop);
    const orderId = await paid();
    await refund(orderId, { note: 'The fan is broken.' });
    const granted = { type: 'refund_granted', amount: 1_000, granted: 'damaged' };
    expect((await entries(orderId)).at(-1)).toMatchObject({
      ...granted,
      note: 'The fan is broken.',
      by: 'boss',
    });
    const seen = (await entries(orderId, shopper)).at(-1);
    expect(seen).toMatchObject(granted);
    expect(seen).not.toHaveProperty('note');
    expect(seen).not.toHaveProperty('by');
  });

  it('a whole refund with `cancel` cancels the order, and its stock comes back once', async () => {
    const shop = await open();
    const { admin, paid, refund, view, productId } = await refunding(shop);
    const orderId = await paid();
    const stock = async () =>
      ((await admin.call('GET', `/products/${productId}`)).body as { quantity: number }).quantity;
    const before = await stock();
    expect(await refund(orderId, { amount: 999, cancel: true })).toMatchObject(refusedWith(409, 'refund_incomplete'));
    expect(await refund(orderId, { cancel: true }, { key: 'whole' })).toMatchObject({ status: 200 });
    expect(await view(orderId)).toMatchObject({ cancelReason: 'admin', moneyBack: { returning: 1_000, left: 0 } });
    await expect.poll(stock).toBe(before + 1);
    expect(await refund(orderId, { cancel: true }, { key: 'whole' })).toMatchObject({ body: { modifiedCount: 0 } });
    expect(await stock()).toBe(before + 1);
    const { version } = await view(orderId);
    expect(await refund(orderId, { version }, { key: 'more' })).toMatchObject(refusedWith(409, 'refund_too_large'));
  });

  it('100 admins refund one order at once, and together they never grant more than was paid', async () => {
    const shop = await open();
    const { paid, refund, view } = await refunding(shop);
    const orderId = await paid();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => refund(orderId, { amount: 400 }, { key: `admin-${index}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { version } = await view(orderId);
    const more = Array.from({ length: 100 }, (_, index) =>
      refund(orderId, { amount: 400, version }, { key: `again-${index}` }),
    );
    expect((await Promise.all(more)).filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await view(orderId)).moneyBack).toEqual({ returned: 0, returning: 800, left: 200 });
    const last = await refund(orderId, { amount: 400, version: version + 1 }, { key: 'last' });
    expect(last).toMatchObject({
      status: 409,
      body: { code: 'refund_too_large', detail: 'At most 200 taka is left.' },
    });
  });

  it(`ORD14 of a refund and a shipment at the same time, exactly one takes place, in each of ${RACES} races`, async () => {
    const shop = await open();
    const { handler } = shop.dependencies;
    const { productId, shopper } = await refunding(shop);
    const customers = await shop.dependencies.readModels.find(userList({ q: shopper.email, sort: 'oldest' }));
    const paid = async (round: number) => {
      const orderId = round.toString(16).padStart(32, '0');
      const times = { placedAt: META.time, expiresAt: META.time };
      const draft = { orderId, number: `MC-${round + 5_000}`, productId, product: 'Case', quantity: 1, ...times };
      const delivery = { name: 'Rumi', email: shopper.email, phone: '01700000000', address: 'Dhaka' };
      const placing = { type: 'PlaceOrder', userId: customers[0]?.id ?? '', delivery } as const;
      const settle = { type: 'SettlePayment', intent: `pi_${round}`, amount: 100_000, currency: 'bdt' } as const;
      const priced = { ...draft, price: 100_000, total: 1_000 };
      await handler.execute(orderDecider, orderId, { ...placing, draft: priced }, { ...META, cause: 'place' });
      await handler.execute(orderDecider, orderId, settle, { ...META, cause: 'settle' });
      return orderId;
    };
    const ended = { granted: 0, shipped: 0 };
    for (let round = 0; round < RACES; round += 1) {
      const orderId = await paid(round);
      const grant = { type: 'GrantRefund', grant: 'g', amount: 100_000, reason: 'late', note: '', seen: 2 } as const;
      const commands = [
        () => handler.execute(orderDecider, orderId, { ...grant, cancels: false }, { ...META, cause: 'grant' }),
        () =>
          handler.execute(
            orderDecider,
            orderId,
            { type: 'ShipOrder', now: META.time, seen: 2 },
            { ...META, cause: 's' },
          ),
      ];
      const order = round % 2 === 0 ? commands : commands.reverse();
      const outcomes = await Promise.all(order.map((execute) => execute()));
      expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(1);
      const last = (await shop.history('order', orderId)).at(-1);
      ended[last === 'OrderShipped' ? 'shipped' : 'granted'] += 1;
    }
    expect(ended.granted + ended.shipped).toBe(RACES);
    expect(Math.min(ended.granted, ended.shipped)).toBeGreaterThan(0);
  }, 60_000);
});

describe('ORD14 an order whose money went back', () => {
  it("it isn't shipped by any route, the view says why, and an admin can cancel it", async () => {
    const shop = await open();
    const { admin, paid, report, view } = await refunding(shop);
    const orderId = await paid();
    await report(orderId, 1_000);
    expect(await view(orderId)).toMatchObject({
      paid: true,
      heldBack: 'refunded',
      moneyBack: { returned: 1_000, left: 0 },
    });
    expect(await admin.call('PUT', `/orders/${orderId}`, { version: 3 })).toMatchObject(
      refusedWith(409, 'order_refunded'),
    );
    expect(await admin.call('PUT', `/orders/${orderId}`)).toMatchObject(refusedWith(409, 'order_refunded'));
    const orders = [{ id: orderId, version: 3 }];
    const many = await admin.call('POST', '/shipments', { orders }, { 'idempotency-key': 'many' });
    expect(many.body).toMatchObject([{ outcome: 'refused', code: 'order_refunded' }]);
    expect(await admin.call('DELETE', `/orders/${orderId}`)).toMatchObject({ status: 200 });
    expect((await view(orderId)).cancelReason).toBe('admin');
  });

  it('BOARD2 the day’s revenue leaves out what went back, and what is granted', async () => {
    const shop = await open();
    const { admin, paid, refund, report } = await refunding(shop);
    const revenue = async () => {
      shop.advance(1_001);
      return ((await admin.call('GET', '/board/today')).body as { revenue: number }).revenue;
    };
    const [one, other] = [await paid(), await paid()];
    const before = await revenue();
    await refund(one, { amount: 300 });
    await report(other, 1_000);
    expect(await revenue()).toBe(before - 1_300);
  });

  it('ERASE1 a person is erased only once the money has arrived', async () => {
    const shop = await open();
    const { shopper, paid, refund, report } = await refunding(shop);
    const orderId = await paid();
    await refund(orderId, { cancel: true });
    const erase = () => shopper.call('DELETE', `/users/${shopper.email}`);
    expect(await erase()).toMatchObject(refusedWith(409, 'refund_pending'));
    await report(orderId, 1_000);
    expect(await erase()).toMatchObject({ status: 200 });
  });
});

it('LIVE1 an order view without refunds, disputes or failed attempts has no fields about money', async () => {
  const shop = await open();
  const { paid, view } = await refunding(shop);
  const fields: (keyof OrderView)[] = ['moneyBack', 'heldBack', 'processingUntil', 'paymentFailure'];
  const order = await view(await paid());
  for (const field of fields) expect(order).not.toHaveProperty(field);
});
