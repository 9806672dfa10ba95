import { afterEach, beforeEach, expect, it } from 'vitest';
import { isoTime } from '../../runtime/clock.ts';
import { orderDecider } from '../order/decide-order.ts';
import type { OrderCommand } from '../order/order.ts';
import { productDecider } from '../product/decide-product.ts';
import { AMOUNT, HOUR, META, newId, type PayingShop, startPayingShop } from './paying-shop.fixture.ts';
import { createOrderScan } from './scan-orders-flow.ts';

const ROUNDS = 6;
const ORDERS = 5;
const STOCK = 10;
const PIECES = 2;
const CANCEL = { type: 'CancelOrder' } as const;

let shop: PayingShop;
beforeEach(async () => {
  shop = await startPayingShop();
});
afterEach(() => shop.close());

/**
 * Runs all the steps that can race on one order concurrently. Each step runs in its own copy of the shop, and the
 * copies share only the log. `comes` determines when `ending` and the shipment run: immediately, once the payment
 * intent is charged, or once the payment is settled.
 */
async function raceOn(orderId: string, ending: OrderCommand, comes: 'first' | 'with the payment' | 'last') {
  const execute = (command: OrderCommand) =>
    shop.newHandler().execute(orderDecider, orderId, command, { ...META, cause: newId(), time: isoTime(shop.clock()) });
  const payments = shop.newPayments();
  const intent = await shop.startPaying(orderId, payments);
  const charged = shop.pay(intent);
  const settled = charged.then(() =>
    Promise.all([payments.settle(intent, META), shop.newPayments().settle(intent, META)]),
  );
  const moment = { first: Promise.resolve(), 'with the payment': charged, last: settled }[comes];
  await Promise.allSettled([
    settled,
    moment.then(() => execute(ending)),
    moment.then(() => execute({ type: 'ShipOrder', now: isoTime(shop.clock()) })),
    shop.newPayments().createIntent(orderId, META),
  ]);
}

it('ORD2 ORD4 ORD5 PAY2 PAY4 money and stock add up, even if an order is paid, cancelled, expired and shipped at the same time', async () => {
  const ends = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const orderIds = await Promise.all(Array.from({ length: ORDERS }, () => shop.place()));
    const late = round % 2 === 1;
    if (late) shop.advance(HOUR);
    const scan = createOrderScan({ ...shop.scanSettings, handler: shop.newHandler(), payments: shop.newPayments() });
    await Promise.all([
      ...orderIds.map((orderId, index) => {
        const comes = (['first', 'with the payment', 'last'] as const)[(index + round) % 3] ?? 'first';
        const ending = late ? ({ type: 'ExpireOrder', now: isoTime(shop.clock()) } as const) : CANCEL;
        return raceOn(orderId, ending, comes);
      }),
      scan.runOnce(),
    ]);
    await shop.delivered();
    await shop.runAll();
    await shop.runAll();

    for (const orderId of orderIds) {
      const history = (await shop.history(orderId)) as { type: string; intent?: string }[];
      const types = history.map(({ type }) => type);
      const of = (type: string) => types.filter((one) => one === type).length;
      const name = `round ${round}: ${types.join(' ')}`;
      expect(of('OrderPlaced'), name).toBe(1);
      expect(of('PaymentRecorded') + of('OrderCancelled'), name).toBe(1);
      expect(of('RefundDue'), name).toBe(of('PaymentRefunded'));
      if (of('OrderShipped') > 0)
        expect(types.indexOf('OrderShipped')).toBeGreaterThan(types.indexOf('PaymentRecorded'));

      const { data: intents } = await shop.stripe.paymentIntents.list({ limit: 100 });
      const own = intents.filter(({ metadata }) => metadata.orderId === orderId);
      const received = own.reduce((sum, { amount_received }) => sum + amount_received, 0);
      const refunds = await Promise.all(own.map(({ id }) => shop.stripe.refunds.list({ payment_intent: id })));
      const returned = refunds.flatMap(({ data }) => data).reduce((sum, { amount }) => sum + amount, 0);
      expect(received - returned, name).toBe(of('PaymentRecorded') * AMOUNT);
      expect(
        own.filter(({ status }) => !['succeeded', 'canceled'].includes(status)),
        name,
      ).toEqual([]);
      ends.add(of('PaymentRecorded') > 0 ? 'paid' : received > 0 ? 'refunded' : 'cancelled');
      // Restocks for the next round, since all rounds sell the same ten pieces.
      if (of('PaymentRecorded') > 0) await giveBack(orderId);
    }
    const { state } = await shop.handler.load(productDecider, shop.productId);
    expect(state.status === 'listed' && state.stock, `round ${round}`).toBe(STOCK);
  }
  expect([...ends]).toContain('paid');
  expect(ends.size, [...ends].join()).toBeGreaterThan(1);
}, 120_000);

/** Puts a paid order's pieces back in stock by correcting the product's quantity, as an admin could. */
async function giveBack(orderId: string): Promise<void> {
  const { state, version } = await shop.handler.load(productDecider, shop.productId);
  if (state.status !== 'listed') throw new Error('The product is gone.');
  const stock = { quantity: state.stock + PIECES, seenVersion: version };
  await shop.handler.execute(
    productDecider,
    shop.productId,
    { type: 'ChangeProduct', changes: {}, stock },
    { ...META, cause: `restock:${orderId}`, time: isoTime(shop.clock()) },
  );
}
