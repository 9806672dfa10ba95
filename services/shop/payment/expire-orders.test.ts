import { describe, expect, it } from 'vitest';
import { abandoned, HOUR, placed, recorded, refundDue, started } from './paying-shop.fixture.ts';
import {
  breaking,
  cancelled,
  freshShop,
  MINUTE,
  orderId,
  otherScan,
  refunded,
  refundOf,
  shop,
  stockEvents,
} from './scanned-shop.fixture.ts';

freshShop();

describe('order scan', () => {
  describe('ORD6 expiry', () => {
    it('an unpaid order is cancelled once it expires, and its stock is returned exactly once', async () => {
      await shop.project();
      shop.advance(HOUR - MINUTE);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed]);
      shop.advance(MINUTE);
      await Promise.all([shop.scan.runOnce(), otherScan().runOnce(), otherScan().runOnce()]);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, cancelled('expired')]);
      const returned = { type: 'StockReturned', orderId, quantity: 2 };
      expect(await stockEvents()).toEqual([{ type: 'StockReduced' }, returned]);
    });

    it('a paid order does not expire', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.pay(intent);
      await shop.delivered();
      await shop.project();
      shop.advance(2 * HOUR);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });

    it("an order that was paid in time doesn't expire even if its webhook was lost, because the scan asks Stripe first", async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.pay(intent);
      await shop.project();
      shop.advance(HOUR);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });

    it("an expired order's open payment intent is closed, so that it can no longer be paid", async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.project();
      shop.advance(HOUR);
      await shop.runAll();
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), cancelled('expired'), abandoned(intent)]);
      await expect(shop.pay(intent)).rejects.toThrow();
    });

    it('PAY4 a payment for an expired order is refunded', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.project();
      shop.advance(HOUR);
      await otherScan({ payments: { ...shop.newPayments(), withdraw: async () => {} } }).runOnce();
      await shop.pay(intent);
      await shop.delivered();
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([
        placed,
        started(intent),
        cancelled('expired'),
        refundDue(intent, 'order_expired'),
        refunded(intent, await refundOf(intent)),
      ]);
    });

    it('an expired order is cancelled even while Stripe is down, and its payment intent is closed once Stripe is back', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.project();
      await shop.stopStripe();
      shop.advance(HOUR);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), cancelled('expired')]);
      await shop.restartStripe();
      await shop.faults({ drop: true });
      shop.advance(MINUTE);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), cancelled('expired'), abandoned(intent)]);
    });

    it('if cancelling one expired order fails, the other expired orders are still cancelled', async () => {
      const other = await shop.place();
      await shop.project();
      shop.advance(HOUR);
      await otherScan({ handler: breaking((id) => id === orderId) }).runOnce();
      expect(await shop.history(orderId)).toEqual([placed]);
      expect(await shop.history(other)).toEqual([placed, cancelled('expired')]);
      expect(shop.lines.join('')).toContain(orderId);
    });
  });
});
