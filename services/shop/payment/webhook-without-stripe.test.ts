import Stripe from 'stripe';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AMOUNT, META, newId, placed, started } from './paying-shop.fixture.ts';
import { PaymentUnavailable } from './payments.ts';
import { freshShop, intent, orderId, paidOnce, problem, shop } from './webhook-shop.fixture.ts';

freshShop();

describe('Stripe webhooks', () => {
  describe('PAY1 trusting signed webhook events', () => {
    let paid: Stripe.PaymentIntent;
    beforeEach(async () => {
      await shop.faults({ drop: true });
      await shop.pay(intent);
      paid = await shop.stripe.paymentIntents.retrieve(intent);
      const unreachable = new Stripe.errors.StripeConnectionError({ type: 'api_error', message: 'unreachable' });
      vi.spyOn(shop.stripe.paymentIntents, 'retrieve').mockRejectedValue(unreachable);
    });

    const event = (object: object = {}, change: object = {}) =>
      JSON.stringify({
        id: 'evt_1',
        object: 'event',
        type: 'payment_intent.succeeded',
        livemode: false,
        data: { object: { ...paid, ...object } },
        ...change,
      });

    it('while Stripe is unreachable, a signed event that matches its order is enough to record the payment', async () => {
      expect((await shop.post(event())).status).toBe(200);
      expect(await shop.history(orderId)).toEqual(paidOnce());
    });

    const disagreeing: [string, object, object][] = [
      ['another amount', { amount: AMOUNT + 100 }, {}],
      ['less received', { amount_received: AMOUNT - 100 }, {}],
      ['another currency', { currency: 'usd' }, {}],
      ['an intent that was not started', { id: 'pi_another' }, {}],
      ['an order that is not there', { metadata: { orderId: newId() } }, {}],
      ['no order', { metadata: {} }, {}],
      ['not yet succeeded', { status: 'processing' }, {}],
      ['something else than an intent', { object: 'charge' }, {}],
      ['an intent of the other mode', { livemode: true }, {}],
      ['an event of the other mode', {}, { livemode: true }],
      ['an event of no mode', {}, { livemode: undefined }],
      ["another account's event", {}, { account: 'acct_1' }],
      ["another account's event, as organisations get it", {}, { context: 'acct_1' }],
      ['the end of another kind', {}, { type: 'payment_intent.canceled' }],
    ];
    it("while Stripe is unreachable, a signed event that doesn't match its order gets a 503 and records no payment", async () => {
      for (const [what, object, change] of disagreeing) {
        const answer = await shop.post(event(object, change));
        expect(await problem(answer), what).toEqual([503, 'payment_unavailable']);
      }
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
    });

    it('while Stripe is unreachable, a signed payment event gets a 503 if its order has been cancelled', async () => {
      await shop.cancel(orderId);
      expect((await shop.post(event())).status).toBe(503);
    });

    it('while Stripe is unreachable, a client that reports a payment gets an error until a signed webhook event has recorded the payment', async () => {
      const report = () => shop.payments.settle(intent, META, { orderId });
      await expect(report()).rejects.toThrow(PaymentUnavailable);
      await shop.post(event());
      expect(await report()).toEqual({ kind: 'settled', orderId, version: 3, modified: false, paid: true });
      expect((await shop.post(event())).status).toBe(200);
      expect(await shop.history(orderId)).toEqual(paidOnce());
    });
  });
});
