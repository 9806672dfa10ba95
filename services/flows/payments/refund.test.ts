import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AMOUNT, META, type PayingShop, startPayingShop } from './paying-shop.fixture.ts';
import { PaymentProviderFailed, PaymentUnavailable } from './payments.ts';
import { createStripePayments } from './stripe-payments.ts';

let shop: PayingShop;
let orderId: string;
let intent: string;
beforeEach(async () => {
  shop = await startPayingShop();
  orderId = await shop.place();
  intent = await shop.startPaying(orderId);
  await shop.cancel(orderId);
  await shop.pay(intent);
  await shop.delivered();
  await shop.faults({ drop: true });
});
afterEach(() => shop.close());

/** Creates Payments that use a Stripe client in which some of the refund methods are replaced. */
function paymentsWith(change: Partial<Stripe['refunds']>) {
  const refunds = Object.assign(Object.create(shop.stripe.refunds), change);
  const stripe: Stripe = Object.create(shop.stripe, { refunds: { value: refunds } });
  const { handler, clock, logger } = shop;
  return createStripePayments({ stripe, handler, clock, logger });
}

it('PAY4 if another copy of the shop makes the same refund at the same time, that refund is found and recorded', async () => {
  const { refunds } = shop.stripe;
  let others = 1;
  const list = async (params: Stripe.RefundListParams) => {
    const found = await refunds.list(params);
    for (; others > 0; others -= 1) await refunds.create({ payment_intent: intent });
    return found;
  };
  await paymentsWith({ list } as unknown as Partial<Stripe['refunds']>).refund(orderId, intent, META);
  const [made, ...more] = (await refunds.list({ payment_intent: intent })).data;
  expect(more).toEqual([]);
  expect((await shop.history(orderId)).at(-1)).toEqual({
    type: 'PaymentRefunded',
    intent,
    amount: AMOUNT,
    refund: made?.id,
  });
});

it('PAY6 while a refund is pending, the shop does not ask Stripe for another refund', async () => {
  await shop.faults({ drop: true, refundStatus: 'pending' });
  await shop.stripe.refunds.create({ payment_intent: intent });
  const before = await shop.history(orderId);
  await paymentsWith({ create: () => Promise.reject(new Error('asked for')) }).refund(orderId, intent, META);
  expect(await shop.history(orderId)).toEqual(before);
});

it('PAY4 a refund is made within ten minutes after an outage in which Stripe has stored many failures', async () => {
  // The last idempotency key changes every ten minutes. The attempts must not meet such a change.
  shop.advance(600_000 - (shop.clock() % 600_000));
  await shop.faults({ drop: true, apiFailures: 5 });
  const refund = () => shop.payments.refund(orderId, intent, META);
  for (let failures = 1; failures <= 6; failures += 1) await expect(refund()).rejects.toThrow(PaymentUnavailable);
  shop.advance(600_000);
  await refund();
  expect((await shop.stripe.refunds.list({ payment_intent: intent })).data).toHaveLength(1);
  expect((await shop.history(orderId)).at(-1)).toMatchObject({ type: 'PaymentRefunded', amount: AMOUNT });
});

it("PAY4 refund() doesn't call Stripe about a payment intent that has no refund due", async () => {
  await shop.payments.refund(orderId, intent, META);
  const made = await shop.history(orderId);
  const refuse = () => Promise.reject(new Error('asked for')) as never;
  for (const id of [intent, 'pi_unheard']) {
    await paymentsWith({ create: refuse, list: refuse }).refund(orderId, id, META);
  }
  expect(await shop.history(orderId)).toEqual(made);
});

it('PAY3 PAY6 settleRefunds() throws while Stripe is down, and records the refund once Stripe is back', async () => {
  await shop.stripe.refunds.create({ payment_intent: intent });
  const before = await shop.history(orderId);
  const list = () => Promise.reject(new Stripe.errors.StripeConnectionError({ message: 'down', type: 'api_error' }));
  await expect(paymentsWith({ list } as never).settleRefunds(intent, META)).rejects.toThrow(PaymentUnavailable);
  expect(await shop.history(orderId)).toEqual(before);
  expect(await shop.payments.settleRefunds(intent, META)).toEqual({ kind: 'recorded' });
  expect((await shop.history(orderId)).at(-1)).toMatchObject({ type: 'PaymentRefunded', intent });
});

it('PAY4 a refund that Stripe refuses is reported as an error, and nothing is recorded', async () => {
  const before = await shop.history(orderId);
  const create = async () => {
    const raw = { type: 'invalid_request_error', code: 'charge_disputed', message: 'The charge is disputed.' } as const;
    throw new Stripe.errors.StripeInvalidRequestError(raw);
  };
  await expect(paymentsWith({ create }).refund(orderId, intent, META)).rejects.toThrow(PaymentProviderFailed);
  expect(await shop.history(orderId)).toEqual(before);
});

describe("a refund in Stripe that isn't due", () => {
  let paid: string;
  let itsIntent: string;
  beforeEach(async () => {
    await shop.faults({});
    paid = await shop.place();
    itsIntent = await shop.startPaying(paid);
    await shop.pay(itsIntent);
    await shop.delivered();
  });

  const errors = () => shop.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
  const noted = (amount: number) => ({ what: 'refunded_without_being_due', orderId: paid, intent: itsIntent, amount });

  it("E16 PAY6 a refund in Stripe that isn't due is logged as an error once for each new total, and doesn't change the order", async () => {
    const before = await shop.history(paid);
    await shop.faults({ duplicate: 3 });
    await shop.stripe.refunds.create({ payment_intent: itsIntent, amount: 100 });
    await shop.delivered();
    expect(shop.payments.unrecordedMoney()).toEqual([noted(100)]);
    expect(errors()).toMatchObject([{ orderId: paid, intent: itsIntent, amount: 100 }]);
    await shop.stripe.refunds.create({ payment_intent: itsIntent });
    await shop.delivered();
    expect(shop.payments.unrecordedMoney()).toEqual([noted(AMOUNT)]);
    expect(errors().map(({ amount }) => amount)).toEqual([100, AMOUNT]);
    expect(await shop.history(paid)).toEqual(before);
  });

  it("E16 PAY6 a pending refund that isn't due is listed as unrecorded money until it fails", async () => {
    await shop.faults({ refundStatus: 'pending' });
    const { id } = await shop.stripe.refunds.create({ payment_intent: itsIntent });
    await shop.delivered();
    expect(shop.payments.unrecordedMoney()).toEqual([noted(AMOUNT)]);
    await shop.changeRefund(id, 'failed');
    await shop.delivered();
    expect(shop.payments.unrecordedMoney()).toEqual([]);
  });

  it('E16 PAY6 a refund that the shop makes itself is not listed as unrecorded money', async () => {
    await shop.payments.refund(orderId, intent, META);
    await shop.delivered();
    expect(shop.payments.unrecordedMoney()).toEqual([]);
    expect(errors()).toEqual([]);
  });
});
