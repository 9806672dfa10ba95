import { describe, expect, it, vi } from 'vitest';
import type { OrderView } from '../../contracts/order/order-view.ts';
import { stockedShop, testShops } from '../../http/test-shop.fixture.ts';
import { orderDecider } from './decide-order.ts';
import type { OrderCommand } from './order.ts';

const open = testShops();

describe("an order's life cycle", () => {
  it("C16 ORD4 a paid order ships only once, and an unpaid or cancelled order doesn't ship", async () => {
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

  it("C23 ORD9 an order's phone number and address can be corrected until the order ships, and corrections are pushed to clients", async () => {
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

  it("C23 ORD9 AUTH1 a customer can't correct the delivery details of a cancelled order or of another customer's order", async () => {
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

  it("C14 PAY4 PAY6 an order's timeline shows the outcome of each payment and refund", async () => {
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

  it('C18 ORD5 cancelling an unpaid order twice cancels it and returns its stock only once', async () => {
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

  it("C18 a paid order can't be cancelled", async () => {
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

  it('C18 order lists omit a cancelled order by default, but its owner and admins can still read it', async () => {
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
    // Only the admin sees who took each step (ORD13).
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

  it("ORD13 if an admin cancels a customer's order, the customer sees the reason 'admin' but not which admin; if an admin cancels their own order, the reason is 'customer'", async () => {
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
    // Cancelling the order again doesn't change the reason.
    await shopper.call('DELETE', `/orders/${orderId}`);
    expect((await shopper.call('GET', `/orders/${orderId}`)).body).toMatchObject({ cancelReason: 'admin' });
    expect(await cancelledBy(admin, await place(1, admin))).toBe('customer');
  });

  it("C14 an order's timeline shows the time of each step, and the transaction and amount of the payment", async () => {
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

  it("C13 C15 K3 order lists are sorted oldest first by default, and a customer's list contains only their own orders", async () => {
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
