import { afterEach, beforeEach, expect } from 'vitest';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { AMOUNT, type PayingShop, startPayingShop } from './paying-shop.fixture.ts';
import { createOrderScan, type OrderScanSettings } from './scan-orders-flow.ts';

export const MINUTE = 60_000;

export let shop: PayingShop;
export let orderId: string;

/** Before each test in a file, opens a shop with one unpaid order. */
export function freshShop(): void {
  beforeEach(async () => {
    shop = await startPayingShop();
    orderId = await shop.place();
  });
  afterEach(() => shop.close());
}

export const cancelled = (reason = 'customer') => ({
  type: 'OrderCancelled',
  reason,
  productId: shop.productId,
  quantity: 2,
});
export const refunded = (intent: string, refund: string) => ({
  type: 'PaymentRefunded',
  intent,
  amount: AMOUNT,
  refund,
});
export const stockEvents = async () => (await shop.history(shop.productId, 'product')).slice(1);
/** Returns the id of a payment intent's only refund in Stripe. */
export async function refundOf(intent: string): Promise<string> {
  const { data } = await shop.stripe.refunds.list({ payment_intent: intent });
  expect(data.map(({ amount, status }) => ({ amount, status }))).toEqual([{ amount: AMOUNT, status: 'succeeded' }]);
  return data[0]?.id ?? '';
}
/** Creates a scan that behaves as if it ran in a separate process. */
export function otherScan(changes: Partial<OrderScanSettings> = {}) {
  const handler = changes.handler ?? shop.newHandler();
  return createOrderScan({ ...shop.scanSettings, handler, payments: shop.newPayments(handler), ...changes });
}
/** Returns a handler that throws for every command matched by `breaks`. */
export function breaking(breaks: (id: string, cause: string) => boolean): CommandHandler {
  const own = shop.newHandler();
  return {
    ...own,
    async execute(decider, id, command, meta, options) {
      if (breaks(id, meta.cause)) throw new Error('killed');
      return own.execute(decider, id, command, meta, options);
    },
  };
}
