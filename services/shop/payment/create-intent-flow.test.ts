import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { isoTime } from '../../runtime/clock.ts';
import { orderDecider } from '../order/decide-order.ts';
import {
  AMOUNT,
  abandoned,
  META,
  newId,
  type PayingShop,
  placed,
  recorded,
  started,
  startPayingShop,
} from './paying-shop.fixture.ts';
import { PaymentUnavailable } from './payments.ts';
import { createStripePayments } from './stripe-payments-flow.ts';

describe('creating payment intents', () => {
  let shop: PayingShop;
  let orderId: string;
  beforeEach(async () => {
    shop = await startPayingShop();
    orderId = await shop.place();
  });
  afterEach(() => shop.close());

  const refused = (refusal: object) => ({ kind: 'refused', refusal });
  const intentsAtStripe = async () => (await shop.stripe.paymentIntents.list({ limit: 100 })).data;
  const cancelled = () => ({
    type: 'OrderCancelled',
    reason: 'customer',
    productId: shop.productId,
    quantity: 2,
  });

  it("PAY2 createIntent() creates a payment intent for the order's total, and returns the intent's secret once PaymentStarted has been appended", async () => {
    const outcome = await shop.payments.createIntent(orderId, META);
    const [intent] = await intentsAtStripe();
    expect(intent).toMatchObject({
      amount: AMOUNT,
      currency: 'bdt',
      metadata: { orderId },
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    });
    expect(outcome).toEqual({ kind: 'secret', clientSecret: intent?.client_secret });
    expect(await shop.history(orderId)).toEqual([placed, started(intent?.id ?? '')]);
  });

  it('PAY2 after a change of the Stripe account, an order gets a new payment intent, and the old one is abandoned', async () => {
    const old = await shop.startPaying(orderId);
    const other = await shop.place();
    const withdrawn = await shop.startPaying(other);
    await shop.faults({ account: 'acct_another' });
    const now = await shop.startPaying(orderId);
    expect(await shop.history(orderId)).toEqual([placed, started(old), abandoned(old), started(now, 2)]);
    await shop.cancel(other);
    await shop.payments.withdraw(other, withdrawn, META);
    expect((await shop.history(other)).at(-1)).toEqual(abandoned(withdrawn));
  });

  it("PAY2 repeating createIntent() returns the same payment intent's secret, even after a card was declined", async () => {
    const first = await shop.payments.createIntent(orderId, META);
    const intent = await shop.startPaying(orderId);
    await expect(
      shop.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_chargeDeclined' }),
    ).rejects.toThrow();
    expect(await shop.newPayments().createIntent(orderId, META)).toEqual(first);
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
    expect(await intentsAtStripe()).toHaveLength(1);
  });

  it.each(['requires_confirmation', 'requires_action', 'processing'] as const)(
    "PAY2 repeating createIntent() returns the same intent while the intent's status is %s",
    async (status) => {
      const intent = await shop.startPaying(orderId);
      const paymentIntents = Object.create(shop.stripe.paymentIntents);
      paymentIntents.retrieve = async (id: string) => ({ ...(await shop.stripe.paymentIntents.retrieve(id)), status });
      const stripe = Object.create(shop.stripe, { paymentIntents: { value: paymentIntents } });
      expect(await shop.startPaying(orderId, createStripePayments({ ...shop.scanSettings, stripe }))).toBe(intent);
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
    },
  );

  it('PAY2 concurrent createIntent() calls in several copies of the shop create one payment intent and append one PaymentStarted event', async () => {
    const copies = [shop.payments, shop.newPayments(), shop.newPayments()];
    const calls = copies.flatMap((copy) => [copy.createIntent(orderId, META), copy.createIntent(orderId, META)]);
    const outcomes = await Promise.all(calls);
    const [intent] = await intentsAtStripe();
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify({ kind: 'secret', clientSecret: intent?.client_secret })]),
    );
    expect(await intentsAtStripe()).toHaveLength(1);
    expect(await shop.history(orderId)).toEqual([placed, started(intent?.id ?? '')]);
  });

  it('PAY2 after a crash between creating a payment intent in Stripe and appending PaymentStarted, the next attempt to pay uses the same intent', async () => {
    const crashing = shop.newPayments(beforeStart(() => Promise.reject(new Error('killed'))));
    await expect(crashing.createIntent(orderId, META)).rejects.toThrow('killed');
    const [orphan] = await intentsAtStripe();
    expect(await shop.history(orderId)).toEqual([placed]);
    expect(await shop.startPaying(orderId)).toBe(orphan?.id);
    expect(await intentsAtStripe()).toHaveLength(1);
    expect(await shop.history(orderId)).toEqual([placed, started(orphan?.id ?? '')]);
  });

  it('PAY2 only one payment intent is created even if Stripe’s response is lost', async () => {
    const asked = vi.spyOn(shop.stripe.paymentIntents, 'retrieve');
    await shop.startPaying(await shop.place());
    expect(asked).not.toHaveBeenCalled();
    const [other] = await intentsAtStripe();
    await shop.faults({ lostAnswers: 1 });
    const intent = await shop.startPaying(orderId);
    // Stripe replayed the response that it had stored for the idempotency key. That response may be out of date, so the
    // payment intent is retrieved.
    expect(asked).toHaveBeenCalledExactlyOnceWith(intent);
    expect((await intentsAtStripe()).map(({ id }) => id)).toEqual([intent, other?.id]);
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it('PAY2 an order can still be paid after a failure that Stripe replays for the same idempotency key', async () => {
    await shop.faults({ apiFailures: 1 });
    await expect(shop.payments.createIntent(orderId, META)).rejects.toThrow(PaymentUnavailable);
    expect(await shop.history(orderId)).toEqual([placed]);
    const intent = await shop.startPaying(orderId);
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it('PAY2 an order can be paid within ten minutes after an outage in which Stripe has stored many failures', async () => {
    // The last idempotency key changes every ten minutes. The attempts must not meet such a change.
    shop.advance(600_000 - (shop.clock() % 600_000));
    await shop.faults({ apiFailures: 5 });
    const createIntent = () => shop.payments.createIntent(orderId, META);
    for (let failures = 1; failures <= 6; failures += 1)
      await expect(createIntent()).rejects.toThrow(PaymentUnavailable);
    shop.advance(600_000);
    const intent = await shop.startPaying(orderId);
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it('PAY2 createIntent() appends nothing while Stripe is down, and succeeds once Stripe is back', async () => {
    await shop.stopStripe();
    await expect(shop.payments.createIntent(orderId, META)).rejects.toThrow(PaymentUnavailable);
    expect(await shop.history(orderId)).toEqual([placed]);
    await shop.restartStripe();
    const intent = await shop.startPaying(orderId);
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it('PAY2 a payment intent cancelled in Stripe is abandoned, and the next attempt to pay gets a new intent', async () => {
    const first = await shop.startPaying(orderId);
    await shop.faults({ drop: true });
    await shop.stripe.paymentIntents.cancel(first);
    const second = await shop.startPaying(orderId);
    expect(second).not.toBe(first);
    expect(await shop.history(orderId)).toEqual([placed, started(first), abandoned(first), started(second, 2)]);
  });

  it('PAY2 a payment intent that was cancelled before its PaymentStarted event was appended is abandoned and replaced', async () => {
    const crashing = shop.newPayments(beforeStart(() => Promise.reject(new Error('killed'))));
    await expect(crashing.createIntent(orderId, META)).rejects.toThrow('killed');
    const [first] = await intentsAtStripe();
    await shop.stripe.paymentIntents.cancel(first?.id ?? '');
    await shop.delivered();
    const second = await shop.startPaying(orderId);
    const id = first?.id ?? '';
    expect(await shop.history(orderId)).toEqual([placed, started(id), abandoned(id), started(second, 2)]);
  });

  it("PAY2 if a payment intent's amount was changed in Stripe, the next attempt to pay closes that intent and creates a new one", async () => {
    const first = await shop.startPaying(orderId);
    await shop.stripe.paymentIntents.update(first, { amount: AMOUNT - 100 });
    const second = await shop.startPaying(orderId);
    expect((await shop.stripe.paymentIntents.retrieve(first)).status).toBe('canceled');
    expect(await shop.history(orderId)).toEqual([placed, started(first), abandoned(first), started(second, 2)]);
  });

  it('PAY2 if a payment intent succeeded but its webhook was lost, the next attempt to pay records that payment and is refused', async () => {
    const intent = await shop.startPaying(orderId);
    await shop.faults({ drop: true });
    await shop.pay(intent);
    const outcome = await shop.payments.createIntent(orderId, META);
    expect(outcome).toEqual(refused({ code: 'order_paid', orderId }));
    expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
  });

  it('PAY2 no payment intent is created for a cancelled or unknown order', async () => {
    await shop.cancel(orderId);
    const outcome = await shop.payments.createIntent(orderId, META);
    expect(outcome).toEqual(refused({ code: 'order_cancelled', orderId }));
    const nowhere = newId();
    const none = await shop.payments.createIntent(nowhere, META);
    expect(none).toEqual(refused({ code: 'not_found', id: nowhere }));
    expect(await intentsAtStripe()).toEqual([]);
    expect(await shop.history(orderId)).toEqual([placed, cancelled()]);
  });

  it('PAY2 if an order is cancelled while its payment intent is being created, no secret is returned and the intent is cancelled', async () => {
    const late = shop.newPayments(beforeStart(() => shop.cancel(orderId)));
    const outcome = await late.createIntent(orderId, META);
    expect(outcome).toEqual(refused({ code: 'order_cancelled', orderId }));
    expect((await intentsAtStripe()).map(({ status }) => status)).toEqual(['canceled']);
    expect(await shop.history(orderId)).toEqual([placed, cancelled()]);
  });

  it.each([
    ['is cancelled', 'canceled'],
    ['stays open if it cannot be cancelled', 'requires_payment_method'],
  ])(
    'PAY2 if two concurrent attempts to pay create two intents, the one in the log is returned, and the other %s',
    async (_what, status) => {
      const automatic_payment_methods = { enabled: true, allow_redirects: 'never' as const };
      const params = { amount: AMOUNT, currency: 'bdt', metadata: { orderId }, automatic_payment_methods };
      const { id: first } = await shop.stripe.paymentIntents.create(params);
      const start = { type: 'StartPayment', intent: first, attempt: 1, amount: AMOUNT } as const;
      const meta = { ...META, cause: 'first', time: isoTime(shop.clock()) };
      const handler = beforeStart(() => shop.handler.execute(orderDecider, orderId, start, meta));
      const paymentIntents = Object.create(shop.stripe.paymentIntents);
      if (status !== 'canceled') paymentIntents.cancel = () => Promise.reject(new Error('Stripe is down'));
      const stripe = Object.create(shop.stripe, { paymentIntents: { value: paymentIntents } });
      const late = createStripePayments({ ...shop.scanSettings, stripe, handler });
      expect(await shop.startPaying(orderId, late)).toBe(first);
      const others = (await intentsAtStripe()).filter(({ id }) => id !== first);
      expect(others.map((one) => one.status)).toEqual([status]);
      expect(await shop.history(orderId)).toEqual([placed, started(first)]);
    },
  );

  /** Returns a handler that runs `happens` before it appends a PaymentStarted event. */
  function beforeStart(happens: () => Promise<unknown>): CommandHandler {
    const own = shop.newHandler();
    return {
      ...own,
      async execute(decider, id, command, meta, options) {
        if (meta.cause.startsWith('pi:')) await happens();
        return own.execute(decider, id, command, meta, options);
      },
    };
  }
});
