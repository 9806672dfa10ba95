import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../contracts/events.ts';
import { type StreamKind, streamName } from '../contracts/ids.ts';
import type { CommandHandler } from '../engine/commands/command-handler.ts';
import { isoTime } from '../runtime/clock.ts';
import { placementCause } from '../shop/order/place-order-flow.ts';
import { HOUR, META, newId, type PayingShop, placed, startPayingShop } from '../shop/payment/paying-shop.fixture.ts';
import { productDecider } from '../shop/product/decide-product.ts';
import { createPolicies } from './policies.ts';

describe('policies', () => {
  let shop: PayingShop;
  beforeEach(async () => {
    shop = await startPayingShop();
  });
  afterEach(() => shop.close());

  const reduced = { type: 'StockReduced' };
  const returned = (orderId: string) => ({ type: 'StockReturned', orderId, quantity: 2 });
  const eventsOf = async (id: string, kind: StreamKind) =>
    shop.sealing.openAll(await shop.log.readStream(streamName(kind, id), 0, 1000));

  /**
   * Takes the stock for an order, like a placement that is interrupted right after this step. Returns the StockReduced
   * event.
   */
  async function cutPlacement(): Promise<RecordedEvent> {
    const orderId = newId();
    const [placedAt, expiresAt] = [isoTime(shop.clock()), isoTime(shop.clock() + HOUR)];
    const delivery = { name: 'Rumi', email: 'rumi@micro-center.test', phone: '01700000000', address: 'Dhaka' };
    const order = { orderId, productId: shop.productId, quantity: 2, userId: META.actor, delivery };
    const outcome = await shop.handler.execute(
      productDecider,
      shop.productId,
      { type: 'ReduceStock', ...order, number: 'MC-1001', placedAt, expiresAt },
      { ...META, cause: placementCause(orderId), time: placedAt },
    );
    const event = outcome.kind === 'done' ? outcome.events[0] : undefined;
    if (event?.type !== 'StockReduced') throw new Error('the stock was not reduced');
    return event;
  }

  function orderOf(event: RecordedEvent): string {
    if (event.type !== 'StockReduced') throw new Error(`${event.type} names no order`);
    return event.data.draft.orderId;
  }

  it('ORD1 a placement that was interrupted after taking the stock is finished from the StockReduced event alone', async () => {
    const event = await cutPlacement();
    expect(await shop.policies.run([event])).toEqual(new Set());
    const [order, ...more] = await eventsOf(orderOf(event), 'order');
    expect(more).toEqual([]);
    expect(order).toMatchObject({
      type: 'OrderPlaced',
      data: event.data,
      actor: 'system:finish-placement',
      correlationid: META.correlationId,
    });
  });

  it('ORD1 an order is placed only once, even if its StockReduced event is delivered repeatedly and to several copies of the shop at once', async () => {
    const event = await cutPlacement();
    const copies = [shop.policies, createPolicies({ ...shop.scanSettings, handler: shop.newHandler() })];
    await Promise.all([...copies, ...copies].map((copy) => copy.run([event, event])));
    expect(await shop.history(orderOf(event))).toEqual([placed]);
    expect(await shop.history(shop.productId, 'product')).toEqual([{ type: 'ProductAdded' }, reduced]);
  });

  it("FEED2 MAIL1 an event whose mail can't be claimed is returned as failed, so that the feed redelivers the event", async () => {
    const event = await cutPlacement();
    let away = true;
    const mailer = { follow: async () => (away ? Promise.reject(new Error('the store is away')) : undefined) };
    const policies = createPolicies({ ...shop.scanSettings, mailer });
    expect(await policies.run([event])).toEqual(new Set([event.id]));
    away = false;
    expect(await policies.run([event])).toEqual(new Set());
  });

  it("CMD3 ORD2 an interrupted placement's stock is returned if an order for another product already has the same id", async () => {
    const orderId = await shop.place();
    await shop.project();
    const other = newId();
    const [first] = await eventsOf(shop.productId, 'product');
    if (first?.type !== 'ProductAdded') throw new Error('no product');
    const { quantity, ...details } = first.data;
    const meta = { ...META, time: isoTime(shop.clock()) };
    const add = { type: 'AddProduct', details, quantity } as const;
    await shop.handler.execute(productDecider, other, add, { ...meta, cause: `add:${other}` });
    const [reduction] = (await eventsOf(shop.productId, 'product')).slice(1);
    if (reduction?.type !== 'StockReduced') throw new Error('no reduction');
    const { draft, person, personal } = reduction.data;
    const reduce = { ...draft, type: 'ReduceStock', productId: other, userId: person, delivery: personal } as const;
    const cut = await shop.handler.execute(productDecider, other, reduce, { ...meta, cause: placementCause(orderId) });
    if (cut.kind === 'refused') throw new Error(cut.refusal.code);
    expect(await shop.policies.run(cut.events)).toEqual(new Set());
    expect(await shop.history(other, 'product')).toEqual([{ type: 'ProductAdded' }, reduced, returned(orderId)]);
    expect(await shop.history(shop.productId, 'product')).toEqual([{ type: 'ProductAdded' }, reduced]);
  });

  it("ORD5 a cancelled order's stock is returned exactly once, however often the cancellation is delivered", async () => {
    const orderId = await shop.place();
    await shop.cancel(orderId);
    const events = await eventsOf(orderId, 'order');
    const copies = [shop.policies, createPolicies({ ...shop.scanSettings, handler: shop.newHandler() })];
    await Promise.all([...copies, ...copies].map((copy) => copy.run(events)));
    await shop.policies.run(events);
    const history = await shop.history(shop.productId, 'product');
    expect(history).toEqual([{ type: 'ProductAdded' }, reduced, returned(orderId)]);
    const last = (await eventsOf(shop.productId, 'product')).at(-1);
    expect(last).toMatchObject({ actor: 'system:return-stock', correlationid: META.correlationId });
  });

  it("ORD5 a cancelled order's stock is returned even if the product has been removed", async () => {
    const orderId = await shop.place();
    await shop.removeProduct();
    await shop.cancel(orderId);
    expect(await shop.policies.run(await eventsOf(orderId, 'order'))).toEqual(new Set());
    const history = await shop.history(shop.productId, 'product');
    expect(history).toEqual([{ type: 'ProductAdded' }, reduced, { type: 'ProductRemoved' }, returned(orderId)]);
  });

  it('FEED2 run() returns and logs the events whose policies failed, and still handles the other events', async () => {
    const [broken, ...others] = await Promise.all([cutPlacement(), cutPlacement(), cutPlacement()]);
    const own = shop.newHandler();
    const failing: CommandHandler = {
      ...own,
      execute: async (decider, id, ...rest) => {
        if (id === orderOf(broken)) throw new Error('the stream has a hole');
        return own.execute(decider, id, ...rest);
      },
    };
    const policies = createPolicies({ ...shop.scanSettings, handler: failing });
    expect(await policies.run([broken, ...others])).toEqual(new Set([broken.id]));
    for (const event of others) expect(await shop.history(orderOf(event))).toEqual([placed]);
    expect(await shop.history(orderOf(broken))).toEqual([]);
    expect(shop.lines.at(-1)).toContain('the stream has a hole');
    expect(await shop.policies.run([broken])).toEqual(new Set());
    expect(await shop.history(orderOf(broken))).toEqual([placed]);
  });

  it("CMD4 a busy product's events are handled concurrently", async () => {
    const events = await Promise.all(Array.from({ length: 4 }, cutPlacement));
    const own = shop.newHandler();
    let [loading, release] = [0, () => {}];
    const allLoad = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waitingForAll: CommandHandler = {
      ...own,
      load: async (decider, id) => {
        loading += 1;
        if (loading === events.length) release();
        await allLoad;
        return own.load(decider, id);
      },
    };
    const policies = createPolicies({ ...shop.scanSettings, handler: waitingForAll });
    expect(await policies.run(events)).toEqual(new Set());
    for (const event of events) expect(await shop.history(orderOf(event))).toEqual([placed]);
  });

  it('PAY4 onOwing() is called with exactly the orders for which the shop has to call Stripe', async () => {
    const told: string[] = [];
    const onOwing = (orderIds: readonly string[]) => void told.push(...orderIds);
    const policies = createPolicies({ ...shop.scanSettings, onOwing });
    const [cancelled, paidLate, untouched] = [await shop.place(), await shop.place(), await shop.place()];
    const intent = await shop.startPaying(paidLate);
    await shop.cancel(paidLate);
    await shop.pay(intent);
    await shop.delivered();
    await shop.cancel(cancelled);
    const streams = await Promise.all([cancelled, paidLate, untouched].map((id) => eventsOf(id, 'order')));
    await policies.run(streams.flat());
    expect(told.sort()).toEqual([cancelled, paidLate].sort());
    told.length = 0;
    const [due] = (streams[1] ?? []).filter(({ type }) => type === 'RefundDue');
    if (due) await policies.run([{ ...due, type: 'RefundFailed' } as RecordedEvent]);
    expect(told).toEqual([paidLate]);
  });
});
