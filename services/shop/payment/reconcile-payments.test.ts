import { describe, expect, it } from 'vitest';
import { AMOUNT, abandoned, HOUR, META, placed, recorded, refundDue, started } from './paying-shop.fixture.ts';
import { SCAN_INTERVAL_MS } from './scan-orders-flow.ts';
import {
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
  describe('PAY5 reconciling', () => {
    it('reconciling finds a payment whose webhook was lost', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.pay(intent);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
      shop.advance(30_000);
      await Promise.all([shop.scan.runOnce(), otherScan().runOnce()]);
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });

    it('the scan asks Stripe about an unpaid payment intent less and less often, but at least every 10 minutes', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.project();
      const asked: number[] = [];
      const settle = async () => {
        asked.push(shop.clock());
        return { kind: 'not_complete', orderId, status: 'requires_payment_method' } as const;
      };
      const begin = shop.clock();
      const scan = otherScan({ payments: { ...shop.newPayments(), settle } });
      for (let scans = 0; scans < 700; scans += 1) {
        await scan.runOnce();
        shop.advance(SCAN_INTERVAL_MS);
      }
      expect(asked.length).toBeGreaterThan(5);
      expect(asked.length).toBeLessThan(15);
      expect((asked[0] ?? 0) - begin).toBeGreaterThanOrEqual(25_000);
      const gaps = asked.slice(1).map((time, index) => time - (asked[index] ?? 0));
      expect(Math.min(...gaps), 'PAY5: its webhook comes first').toBeGreaterThanOrEqual(30_000);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(10 * MINUTE + 2 * SCAN_INTERVAL_MS);
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
    });

    it("reconciling closes a cancelled order's open payment intent", async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.cancel(orderId);
      await shop.runAll();
      expect((await shop.stripe.paymentIntents.retrieve(intent)).status).toBe('canceled');
      expect(await shop.history(orderId)).toEqual([placed, started(intent), cancelled(), abandoned(intent)]);
    });

    it('an order that was cancelled before the shop learned of its payment is refunded', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.pay(intent);
      await shop.cancel(orderId);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([
        placed,
        started(intent),
        cancelled(),
        refundDue(intent, 'order_cancelled'),
        refunded(intent, await refundOf(intent)),
      ]);
      expect(await stockEvents()).toEqual([{ type: 'StockReduced' }, { type: 'StockReturned', orderId, quantity: 2 }]);
    });

    it("reconciling closes an order's open payment intent if the order was paid through another intent", async () => {
      const intent = await shop.startPaying(orderId);
      const method = { enabled: true, allow_redirects: 'never' as const };
      const params = { amount: AMOUNT, currency: 'bdt', metadata: { orderId }, automatic_payment_methods: method };
      const { id: other } = await shop.stripe.paymentIntents.create(params);
      await shop.faults({ drop: true });
      await shop.pay(other);
      await shop.payments.settle(other, META);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(other), abandoned(intent)]);
    });

    it('ORD6 PAY5 the scan asks Stripe again right before an order expires, even if it asked only seconds earlier', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.project();
      shop.advance(HOUR - 5_000);
      await shop.scan.runOnce();
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
      // The scan above has started a back-off. The customer pays during that back-off, just before the order expires.
      await shop.pay(intent);
      shop.advance(6_000);
      await shop.scan.runOnce();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });

    it('reconciling appends nothing while Stripe is down, and finds the payment once Stripe is back', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.pay(intent);
      await shop.project();
      await shop.stopStripe();
      shop.advance(MINUTE);
      await shop.scan.runOnce();
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
      await shop.restartStripe();
      shop.advance(MINUTE);
      await shop.scan.runOnce();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });
  });
});
