import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import { metaOf, openEmbeddedLog } from '../../engine/commands/embedded-log.fixture.ts';
import { productDecider } from '../product/decide-product.ts';
import { TOWER_ONE } from '../product/tower-one.fixture.ts';
import { orderDecider } from './decide-order.ts';
import { finishPlacement, placementCause, placeOrder } from './place-order-flow.ts';
import { placingShop } from './placing-shop.fixture.ts';
import type { Placement } from './take-hold-flow.ts';

const productId = 'b'.repeat(32);
const otherProductId = 'd'.repeat(32);
const orderId = 'a'.repeat(32);
const details = TOWER_ONE;
const command: Placement = {
  type: 'ReduceStock',
  orderId,
  productId,
  quantity: 2,
  userId: 'c'.repeat(32),
  delivery: { name: 'Rahim', email: 'rahim@shop.test', phone: '0170000', address: 'Dhaka' },
  placedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
};
const { cause: _, ...meta } = metaOf('unused', '2026-01-01T00:00:05.000Z');

let embedded: ReturnType<typeof openEmbeddedLog>;
let handler: ReturnType<typeof embedded.handler>;
beforeEach(async () => {
  embedded = openEmbeddedLog();
  handler = embedded.handler();
  for (const id of [productId, otherProductId]) {
    await handler.execute(productDecider, id, { type: 'AddProduct', details, quantity: 10 }, metaOf('add'));
  }
});
afterEach(() => embedded.close());

const stockOf = async (id: string) => (await handler.load(productDecider, id)).state;
const typesOf = async (kind: 'order' | 'product', id: string) =>
  (await embedded.eventsOf(streamName(kind, id))).map((event) => event.type);

describe('placing an order', () => {
  it('ORD1 a placement takes the stock first, and then opens the order with the placement time from its draft', async () => {
    expect(await placeOrder(placingShop(handler), command, meta)).toMatchObject({
      kind: 'done',
      version: 1,
      state: { status: 'unpaid' },
    });
    expect(await typesOf('product', productId)).toEqual(['ProductAdded', 'StockReduced']);
    const [placed] = await embedded.eventsOf(streamName('order', orderId));
    expect(placed).toMatchObject({ type: 'OrderPlaced', time: command.placedAt, cause: placementCause(orderId) });
  });

  it('ORD1 an order is opened only once, even if policies finish its placement while the original request is still running', async () => {
    const reduced = await handler.execute(
      productDecider,
      productId,
      { ...command, number: 'MC-1001' },
      {
        ...meta,
        cause: placementCause(orderId),
      },
    );
    if (reduced.kind !== 'done' || reduced.events[0]?.type !== 'StockReduced') throw new Error('not reduced');
    const reduction = reduced.events[0].data;
    const both = await Promise.all([
      finishPlacement(handler, reduction, meta),
      finishPlacement(embedded.handler(), reduction, meta),
      placeOrder(placingShop(embedded.handler()), command, meta),
    ]);
    expect(both.map((outcome) => outcome.kind)).toEqual(['done', 'done', 'done']);
    expect(await typesOf('order', orderId)).toEqual(['OrderPlaced']);
    expect(await stockOf(productId)).toMatchObject({ stock: 8 });
  });

  it('CMD3 twenty simultaneous requests for the same order place the order only once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => placeOrder(placingShop(handler), command, meta)),
    );
    expect(outcomes.every((outcome) => outcome.kind === 'done')).toBe(true);
    expect(await typesOf('product', productId)).toEqual(['ProductAdded', 'StockReduced']);
    expect(await typesOf('order', orderId)).toEqual(['OrderPlaced']);
  });

  it('CMD3 a request that reuses an Idempotency-Key for another product is refused and takes no stock', async () => {
    await placeOrder(placingShop(handler), command, meta);
    const other = await placeOrder(placingShop(handler), { ...command, productId: otherProductId }, meta);
    expect(other).toMatchObject({ kind: 'refused', refusal: { code: 'idempotency_key_reused' } });
    expect(await stockOf(otherProductId)).toMatchObject({ stock: 10 });
  });

  it("CMD3 ORD2 if one Idempotency-Key is used for two products at once, one order is placed and the other product's stock is returned", async () => {
    const outcomes = await Promise.all([
      placeOrder(placingShop(handler), command, meta),
      placeOrder(placingShop(embedded.handler()), { ...command, productId: otherProductId }, meta),
    ]);
    expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual(['done', 'refused']);
    const stocks = [await stockOf(productId), await stockOf(otherProductId)];
    expect(stocks.map((state) => (state.status === 'absent' ? 0 : state.stock)).sort()).toEqual([10, 8]);
  });

  it('ORD3 a refused placement appends no event', async () => {
    const refused = await placeOrder(placingShop(handler), { ...command, quantity: 11 }, meta);
    expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'quantity_out_of_range' } });
    expect(await typesOf('product', productId)).toEqual(['ProductAdded']);
    expect(await typesOf('order', orderId)).toEqual([]);
  });

  it('ORD8 CMD3 if a repeated order request is refused, no later order gets the number of the original order', async () => {
    const shop = placingShop(handler);
    const order = (n: number, quantity = 2) => ({ ...command, orderId: n.toString(16).padStart(32, '0'), quantity });
    const numberOf = async (n: number) => {
      const { state } = await handler.load(orderDecider, order(n).orderId);
      return state.status === 'absent' ? null : state.number;
    };
    await placeOrder(shop, order(1), meta);
    for (const changed of [order(1, 3), order(1, 11)]) {
      expect(await placeOrder(shop, changed, meta)).toMatchObject({ refusal: { code: 'idempotency_key_reused' } });
    }
    // If the product refuses an order, the order's number can be given to the next order, because no event contains it.
    expect(await placeOrder(shop, order(2, 11), meta)).toMatchObject({ refusal: { code: 'quantity_out_of_range' } });
    await placeOrder(shop, order(3), meta);
    await placeOrder(shop, order(3), meta);
    await placeOrder(shop, order(4), meta);
    expect([await numberOf(1), await numberOf(3), await numberOf(4)]).toEqual(['MC-1001', 'MC-1002', 'MC-1003']);
  });
});
