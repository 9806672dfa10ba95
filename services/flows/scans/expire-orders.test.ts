import { describe, expect, it } from 'vitest';
import { abandoned, HOUR, placed, recorded, refundDue, started } from '../payments/paying-shop.fixture.ts';
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

describe('scan of orders', () => {
  describe('ORD6 expiry', () => {
    it('cancels an unpaid order once its time is up, and returns its stock once', async () => {
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

    it('does not expire a paid order', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.pay(intent);
      await shop.delivered();
      await shop.project();
      shop.advance(2 * HOUR);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });

    it('asks Stripe first, so an order that was paid in time counts as paid even if the webhook was lost', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.pay(intent);
      await shop.project();
      shop.advance(HOUR);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });

    it('closes the open intent of an expired order, so that the intent can no longer be paid', async () => {
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

    it('cancels an expired order even while Stripe is down, and closes its intent once Stripe is back', async () => {
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

    it('cancels the other expired orders even if the cancellation of one fails', async () => {
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
