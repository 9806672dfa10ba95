import { readFileSync } from 'node:fs';
import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { AMOUNT, META, placed, refundDue, started } from './paying-shop.fixture.ts';
import { DISPUTE_EVENTS, INTENT_EVENTS, REFUND_EVENTS, WEBHOOK_EVENTS } from './payments.ts';
import { createStripePayments } from './stripe-payments-flow.ts';
import { freshShop, intent, orderId, paidOnce, payByHand, shop, succeeded } from './webhook-shop.fixture.ts';

it('PAY3 PAY6 PAY9 the webhook subscribes to every event about a payment intent, a refund or a dispute, and the README lists the same events', () => {
  expect(WEBHOOK_EVENTS).toEqual([...INTENT_EVENTS, ...REFUND_EVENTS, ...DISPUTE_EVENTS]);
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const step =
    /add the webhook `POST \/webhooks\/stripe` with the events ([^.]*(?:\.[a-z][^.]*)*)\.\n/.exec(readme)?.[1] ?? '';
  expect([...step.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name)).toEqual([...WEBHOOK_EVENTS]);
});

describe('Stripe webhooks', () => {
  freshShop();

  it('X4 PAY2 a payment is recorded once, even if its webhook is delivered three times at once', async () => {
    await shop.faults({ duplicate: 3 });
    await shop.pay(intent);
    const { deliveries } = await shop.delivered();
    const ends = deliveries.filter(({ type }) => type === 'payment_intent.succeeded');
    expect(ends.map(({ state, attempts }) => ({ state, attempts }))).toEqual(
      Array(3).fill({ state: 'delivered', attempts: 1 }),
    );
    expect(await shop.history(orderId)).toEqual(paidOnce());
  });

  it('PAY1 a payment that a client reports after its webhook has arrived is not recorded again', async () => {
    await shop.pay(intent);
    await shop.delivered();
    expect(await shop.history(orderId)).toEqual(paidOnce());
    const outcome = await shop.payments.settle(intent, META);
    expect(outcome).toEqual({ kind: 'settled', orderId, version: 3, modified: false, paid: true });
    expect(await shop.history(orderId)).toEqual(paidOnce());
  });

  it("PAY1 a webhook that arrives after the client's report is acknowledged and appends nothing", async () => {
    await shop.faults({ drop: true });
    await shop.pay(intent);
    const outcome = await shop.payments.settle(intent, META);
    expect(outcome).toEqual({ kind: 'settled', orderId, version: 3, modified: true, paid: true });
    const answer = await shop.post(succeeded());
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    expect(await shop.history(orderId)).toEqual(paidOnce());
  });

  it('PAY2 a payment that several copies of the shop settle at the same time is recorded once', async () => {
    await shop.faults({ drop: true });
    await shop.pay(intent);
    const copies = [shop.payments, shop.newPayments(), shop.newPayments()];
    const outcomes = await Promise.all(copies.map((copy) => copy.settle(intent, META)));
    expect(outcomes.filter((outcome) => outcome.kind === 'settled' && outcome.modified)).toHaveLength(1);
    expect(await shop.history(orderId)).toEqual(paidOnce());
  });

  it('PAY1 if a client reports a payment before the card is charged, nothing is recorded', async () => {
    const outcome = await shop.payments.settle(intent, META);
    expect(outcome).toEqual({ kind: 'not_complete', orderId, status: 'requires_payment_method' });
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it("PAY1 a payment_intent.succeeded event is not acknowledged if Stripe's API reports another status", async () => {
    const answer = await shop.post(succeeded());
    expect(answer.status).toBe(502);
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it('PAY2 a payment intent that is cancelled in Stripe is abandoned', async () => {
    await shop.stripe.paymentIntents.cancel(intent);
    await shop.delivered();
    expect(await shop.history(orderId)).toEqual([placed, started(intent), { type: 'PaymentAbandoned', intent }]);
  });

  it('PAY4 a payment for a cancelled order is due for a refund', async () => {
    await shop.cancel(orderId);
    await shop.pay(intent);
    await shop.delivered();
    const cancelled = { type: 'OrderCancelled', reason: 'customer', productId: shop.productId, quantity: 2 };
    expect(await shop.history(orderId)).toEqual([
      placed,
      started(intent),
      cancelled,
      refundDue(intent, 'order_cancelled'),
    ]);
  });

  it('PAY4 a payment of the wrong amount is due for a refund, and the order stays unpaid', async () => {
    const other = await payByHand(AMOUNT - 100, 'bdt');
    const due = refundDue(other, 'wrong_amount', { amount: AMOUNT - 100 });
    expect(await shop.history(orderId)).toEqual([placed, started(intent), due]);
  });

  it('PAY1 the shop checks the amount received, not the amount requested', async () => {
    const found = await shop.stripe.paymentIntents.retrieve(intent);
    const partly = { ...found, status: 'succeeded' as const, amount_received: AMOUNT - 100 };
    const paymentIntents = { ...shop.stripe.paymentIntents, retrieve: async () => partly };
    const stripe = { ...shop.stripe, paymentIntents } as unknown as Stripe;
    const { handler, clock, logger } = shop;
    await createStripePayments({ stripe, handler, clock, logger }).settle(intent, META);
    const due = refundDue(intent, 'wrong_amount', { amount: AMOUNT - 100 });
    expect(await shop.history(orderId)).toEqual([placed, started(intent), due]);
  });

  it("PAY6 a webhook event about a refund is acknowledged even if the refund has no payment intent, or one that isn't the shop's", async () => {
    const body = (payment_intent: string | null) =>
      JSON.stringify({ id: 'evt_1', type: 'refund.failed', data: { object: { id: 're_1', payment_intent } } });
    expect((await shop.post(body(null))).status).toBe(200);
    expect((await shop.post(body('pi_elsewhere'))).status).toBe(200);
    expect((await shop.post(body(intent))).status).toBe(200);
    expect((await shop.post(body('x'))).status).toBe(400);
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it('PAY4 a payment in the wrong currency is due for a refund, and the order stays unpaid', async () => {
    const other = await payByHand(AMOUNT, 'usd');
    const due = refundDue(other, 'wrong_currency', { currency: 'usd' });
    expect(await shop.history(orderId)).toEqual([placed, started(intent), due]);
  });

  it('PAY4 a second payment for the same order is due for a refund', async () => {
    await shop.pay(intent);
    const other = await payByHand(AMOUNT, 'bdt');
    expect(await shop.history(orderId)).toEqual([...paidOnce(), refundDue(other, 'already_paid')]);
  });
});
