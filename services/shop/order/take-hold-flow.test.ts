import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import { type CommandHandler, Overloaded } from '../../engine/commands/command-handler.ts';
import { interceptAppends, metaOf, openEmbeddedLog } from '../../engine/commands/embedded-log.fixture.ts';
import type { EventLog } from '../../engine/log/event-log.ts';
import { productDecider } from '../product/decide-product.ts';
import { TOWER_ONE } from '../product/tower-one.fixture.ts';
import { allowanceDecider } from './decide-allowance.ts';
import { orderDecider } from './decide-order.ts';
import { placeOrder } from './place-order-flow.ts';
import { placingShop } from './placing-shop.fixture.ts';
import { type HoldTerms, type Placement, takeHold } from './take-hold-flow.ts';

const productId = 'b'.repeat(32);
const customer = 'c'.repeat(32);
const details = { ...TOWER_ONE, price: 50_000 };
const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
const at = (ms: number) => new Date(BEGIN + ms).toISOString();
const orderIdOf = (n: number) => n.toString(16).padStart(32, '0');
const { cause: _, ...meta } = metaOf('unused');
let tries = 0;

let embedded: ReturnType<typeof openEmbeddedLog>;
let handler: CommandHandler;
beforeEach(async () => {
  embedded = openEmbeddedLog();
  handler = embedded.handler();
  await handler.execute(productDecider, productId, { type: 'AddProduct', details, quantity: 1000 }, metaOf('add'));
});
afterEach(() => embedded.close());

function orderOf(n: number, change: Partial<Placement> = {}): Placement {
  return {
    type: 'ReduceStock',
    orderId: orderIdOf(n),
    productId,
    quantity: 1,
    userId: customer,
    delivery: { name: 'Rahim', email: 'rahim@shop.test', phone: '0170000', address: 'Dhaka' },
    placedAt: at(0),
    expiresAt: at(86_400_000),
    ...change,
  };
}
function terms(change: Partial<HoldTerms> = {}): HoldTerms {
  tries += 1;
  return { holdId: `try-${tries}`, maxUnpaid: 10, emailVerified: true, ...change };
}
const place = (n: number, change: Partial<Placement> = {}, by = handler) =>
  placeOrder(placingShop(by), orderOf(n, change), meta, terms());
const codeOf = (outcome: Awaited<ReturnType<typeof place>>) =>
  outcome.kind === 'refused' ? outcome.refusal.code : 'placed';
const typesOf = async (kind: 'order' | 'product' | 'allowance', id: string) =>
  (await embedded.eventsOf(streamName(kind, id))).map((event) => event.type);
const cancel = (n: number) =>
  handler.execute(orderDecider, orderIdOf(n), { type: 'CancelOrder' }, metaOf(`cancel:${n}`));

async function placeMany(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) expect(codeOf(await place(n))).toBe('placed');
}

/** Returns a command handler that fails as if its process had died just before an append to a stream matched by `cut`. */
function cutHandler(cut: (stream: string) => boolean): CommandHandler {
  const { log } = interceptAppends(embedded.log, ({ stream }) => {
    if (cut(stream)) throw new Error('The process died.');
  });
  return embedded.handler({ log });
}

describe('taking a hold before placing an order', () => {
  it("ORD7 two hundred concurrent placements in two processes never exceed a customer's limit on unpaid orders", async () => {
    const processes = [embedded.handler(), embedded.handler()];
    const outcomes = await Promise.all(Array.from({ length: 200 }, (_, n) => place(n, {}, processes[n % 2])));
    expect(outcomes.filter((outcome) => codeOf(outcome) === 'placed')).toHaveLength(10);
    expect(outcomes.filter((outcome) => codeOf(outcome) === 'too_many_unpaid_orders')).toHaveLength(190);
    expect((await typesOf('product', productId)).filter((type) => type === 'StockReduced')).toHaveLength(10);
  });

  it("ORD7 cancelling an order immediately frees its slot in the customer's allowance of unpaid orders", async () => {
    await placeMany(10);
    expect(codeOf(await place(10))).toBe('too_many_unpaid_orders');
    await cancel(4);
    expect(codeOf(await place(10))).toBe('placed');
    expect(codeOf(await place(11))).toBe('too_many_unpaid_orders');
  });

  it('ORD7 a customer at the limit on unpaid orders can cancel one and order another product, even with an unverified e-mail address', async () => {
    const other = 'e'.repeat(32);
    await handler.execute(productDecider, other, { type: 'AddProduct', details, quantity: 9 }, metaOf('add-other'));
    const unverified = (n: number, change: Partial<Placement> = {}) =>
      placeOrder(placingShop(handler), orderOf(n, change), meta, terms({ emailVerified: false }));
    for (let n = 0; n < 3; n += 1) expect(codeOf(await unverified(n))).toBe('placed');
    expect(codeOf(await unverified(3, { productId: other }))).toBe('too_many_unpaid_orders');
    await cancel(1);
    expect(codeOf(await unverified(3, { productId: other }))).toBe('placed');
    expect(codeOf(await unverified(4, { productId: other }))).toBe('too_many_unpaid_orders');
  });

  it("ORD7 orders that are no longer unpaid don't count towards the customer's limit, even during concurrent placements", async () => {
    await placeMany(9);
    for (let n = 0; n < 9; n += 1) await cancel(n);
    const other = 'e'.repeat(32);
    await handler.execute(productDecider, other, { type: 'AddProduct', details, quantity: 9 }, metaOf('add-other'));
    const placed = await Promise.all([20, 21, 22, 23, 24].map((n) => place(n, { productId: other })));
    expect(placed.map(codeOf)).toEqual(Array(5).fill('placed'));
  });

  it("ORD7 CMD3 a repeated order request doesn't count twice, and succeeds even at the limit on unpaid orders", async () => {
    await placeMany(9);
    const tenth = await Promise.all(Array.from({ length: 5 }, () => place(9)));
    expect(tenth.map(codeOf)).toEqual(Array(5).fill('placed'));
    expect(codeOf(await place(9))).toBe('placed');
    expect(codeOf(await place(10))).toBe('too_many_unpaid_orders');
    expect(codeOf(await place(9, { quantity: 2 }))).toBe('idempotency_key_reused');
  });

  it("ORD7 an order that the product's rules refuse takes no slot in the customer's allowance", async () => {
    expect(codeOf(await place(1, { quantity: 1001 }))).toBe('quantity_out_of_range');
    expect(await typesOf('allowance', customer)).toEqual([]);
  });

  it('ORD7 a placement that is refused after taking a hold releases the hold', async () => {
    await handler.load(productDecider, productId);
    let emptied = false;
    const { log } = interceptAppends(embedded.log, async ({ stream }) => {
      if (emptied || !stream.startsWith('allowance-')) return;
      emptied = true;
      const sold = orderOf(99, { quantity: 1000, userId: 'd'.repeat(32) });
      await placeOrder(placingShop(embedded.handler()), sold, meta);
    });
    expect(codeOf(await place(1, {}, embedded.handler({ log })))).toBe('quantity_out_of_range');
    expect(await typesOf('allowance', customer)).toEqual(['HoldPlaced', 'HoldsReleased']);
  });

  it('ORD7 CMD3 a placement that is interrupted after taking a hold can be repeated immediately, and its hold expires after two minutes', async () => {
    await placeMany(9);
    const dying = cutHandler((stream) => stream.startsWith('product-'));
    await expect(place(9, {}, dying)).rejects.toThrow('died');
    expect(codeOf(await place(10, { placedAt: at(119_000) }))).toBe('too_many_unpaid_orders');
    expect(codeOf(await place(9))).toBe('placed');
    await cancel(9);
    await expect(place(11, { placedAt: at(150_000) }, dying)).rejects.toThrow('died');
    expect(codeOf(await place(12, { placedAt: at(271_000) }))).toBe('placed');
  });

  it('ORD1 CMD3 a placement interrupted after it took the last stock is finished when the request is repeated', async () => {
    const dying = cutHandler((stream) => stream.startsWith('order-'));
    await expect(place(1, { quantity: 1000 }, dying)).rejects.toThrow('died');
    expect(codeOf(await place(1, { quantity: 1000 }))).toBe('placed');
    expect(await typesOf('order', orderIdOf(1))).toEqual(['OrderPlaced']);
  });

  it('ORD6 an order keeps its original expiry time, even if the request is repeated under different terms', async () => {
    await placeOrder(placingShop(handler), orderOf(1), meta, terms({ emailVerified: false }));
    await placeOrder(placingShop(handler), orderOf(1, { placedAt: at(9) }), meta, terms());
    const { state } = await handler.load(orderDecider, orderIdOf(1));
    expect(state).toMatchObject({ expiresAt: at(1_800_000) });
  });

  it('ORD6 one customer can hold at most half of the stock for longer than half an hour, even with ten concurrent placements', async () => {
    const processes = [embedded.handler(), embedded.handler()];
    const quantity = 90;
    const placed = await Promise.all(Array.from({ length: 10 }, (_, n) => place(n, { quantity }, processes[n % 2])));
    expect(placed.map(codeOf)).toEqual(Array(10).fill('placed'));
    const orders = await Promise.all(placed.map((_, n) => handler.load(orderDecider, orderIdOf(n))));
    const long = orders.filter(({ state }) => state.status === 'unpaid' && state.paymentDeadline > at(1_800_000));
    expect(long.length * quantity).toBeLessThanOrEqual(500);
    expect(long.length).toBeGreaterThan(0);
  });

  it('ORD6 one customer can hold at most half of the stock for a whole day with successive orders, not counting cancelled orders', async () => {
    const endOf = async (n: number, quantity: number) => {
      await place(n, { quantity });
      const { state } = await handler.load(orderDecider, orderIdOf(n));
      return state.status === 'absent' ? null : state.paymentDeadline;
    };
    const [day, halfHour] = [at(86_400_000), at(1_800_000)];
    expect([await endOf(1, 400), await endOf(2, 100), await endOf(3, 1)]).toEqual([day, day, halfHour]);
    await cancel(1);
    const back = { type: 'ReturnStock', orderId: orderIdOf(1), quantity: 400 } as const;
    await handler.execute(productDecider, productId, back, metaOf('return:1'));
    expect([await endOf(4, 399), await endOf(5, 1)]).toEqual([day, halfHour]);
  });

  it("ORD6 if an order is cancelled while the same customer places another, the cancelled order's stock is counted only once in deciding when the new order expires", async () => {
    await place(1, { quantity: 400 });
    let cancelled = false;
    const meanwhile: CommandHandler = {
      ...handler,
      async load(decider, id) {
        const loaded = await handler.load(decider, id);
        if (id === orderIdOf(1) && !cancelled) {
          cancelled = true;
          await cancel(1);
          const back = { type: 'ReturnStock', orderId: orderIdOf(1), quantity: 400 } as const;
          await handler.execute(productDecider, productId, back, metaOf('return:1'));
        }
        return loaded;
      },
    };
    await place(2, { quantity: 150 }, meanwhile);
    const { state } = await handler.load(orderDecider, orderIdOf(2));
    // When the first order was read, it still held 400 pieces. With the new order's 150, the customer held more than
    // half of the 1,000.
    expect(state).toMatchObject({ expiresAt: at(1_800_000) });
  });

  it("ORD6 the quantity of a placement in flight isn't counted as available stock, so it doesn't lengthen the holds of the customer's other orders", async () => {
    const dying = cutHandler((stream) => stream.startsWith('product-'));
    await expect(place(1, { quantity: 400 }, dying)).rejects.toThrow('died');
    const endOf = async (n: number, quantity: number) => {
      expect(codeOf(await place(n, { quantity }))).toBe('placed');
      const { state } = await handler.load(orderDecider, orderIdOf(n));
      return state.status === 'absent' ? null : state.paymentDeadline;
    };
    // If the placement in flight takes its 400 pieces, the customer holds more than half of the 1,000.
    expect(await endOf(2, 101)).toBe(at(1_800_000));
    expect(await endOf(3, 1)).toBe(at(1_800_000));
  });

  it("CMD5 if a product's queue is full, a placement is rejected before its hold is appended", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { log } = interceptAppends(embedded.log, ({ stream }) => (stream.startsWith('product-') ? held : undefined));
    const busy = embedded.handler({ log: log satisfies EventLog, maxPendingPerStream: 1 });
    const first = place(1, { userId: 'd'.repeat(32) }, busy);
    await expect.poll(() => place(2, {}, busy).catch((error: unknown) => error instanceof Overloaded)).toBe(true);
    release();
    expect(codeOf(await first)).toBe('placed');
    expect(await typesOf('allowance', customer)).toEqual([]);
  });
});

it("ORD7 takeHold() can reuse a cancelled order's slot, even if the allowance was read before that slot was taken", async () => {
  const { state: allowance } = await handler.load(allowanceDecider, customer);
  await placeMany(10);
  await cancel(3);
  const product = await handler.load(productDecider, productId);
  const taken = await takeHold(handler, orderOf(10), meta, { terms: terms(), product, allowance });
  expect(taken.kind).toBe('done');
});
