import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orderDecider } from '../order/decide-order.ts';
import { AMOUNT, META, type PayingShop, startPayingShop } from './paying-shop.fixture.ts';
import { PaymentProviderFailed, PaymentUnavailable } from './payments.ts';
import { createStripePayments } from './stripe-payments-flow.ts';

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

it('PAY9 a refund that is due is not made while a dispute forbids it', async () => {
  const reported = {
    ...{ dispute: 'dp_1', intent, amount: AMOUNT, currency: 'bdt', status: 'needs_response' },
    ...{ withdrawn: true, reinstated: false, refundable: false },
  };
  const meta = { ...META, cause: 'dispute', time: new Date(shop.clock()).toISOString() };
  await shop.newHandler().execute(orderDecider, orderId, { type: 'ReportDispute', reported }, meta);
  const before = await shop.history(orderId);
  const create = async () => {
    throw new Error('Nobody may ask for a refund.');
  };
  await paymentsWith({ create }).refund(orderId, intent, META);
  expect(await shop.history(orderId)).toEqual(before);
});

describe('the refunds of a payment', () => {
  let paid: string;
  let itsIntent: string;
  beforeEach(async () => {
    await shop.faults({});
    paid = await shop.place();
    itsIntent = await shop.startPaying(paid);
    await shop.pay(itsIntent);
    await shop.delivered();
  });

  const grant = (amount: number) => ({
    type: 'GrantRefund' as const,
    grant: `g-${amount}`,
    amount,
    reason: 'damaged' as const,
    note: 'The fan is broken.',
    cancels: false,
  });
  const reports = async () =>
    ((await shop.history(paid)) as { type: string }[]).filter(({ type }) => type === 'RefundReported');
  const refunds = async () => (await shop.stripe.refunds.list({ payment_intent: itsIntent })).data;

  it("PAY6 a refund that is made in Stripe's dashboard is recorded once, however often its webhook is delivered", async () => {
    await shop.faults({ duplicate: 3 });
    const { id } = await shop.stripe.refunds.create({ payment_intent: itsIntent, amount: 100 });
    await shop.delivered();
    const reported = { type: 'RefundReported', refund: id, intent: itsIntent, currency: 'bdt', failure: null };
    expect(await reports()).toEqual([{ ...reported, amount: 100, status: 'succeeded', grant: null }]);
    await shop.stripe.refunds.create({ payment_intent: itsIntent });
    await shop.delivered();
    expect(await reports()).toMatchObject([{ amount: 100 }, { amount: AMOUNT - 100, grant: null }]);
  });

  it('PAY6 PAY8 a refund that fails after it was pending is recorded as failed, and counts as money that was kept', async () => {
    await shop.faults({ refundStatus: 'pending' });
    const { id } = await shop.stripe.refunds.create({ payment_intent: itsIntent });
    await shop.delivered();
    expect(await reports()).toMatchObject([{ refund: id, status: 'pending' }]);
    await shop.changeRefund(id, 'failed');
    await shop.delivered();
    expect(await reports()).toMatchObject([{ status: 'pending' }, { refund: id, status: 'failed' }]);
    await shop.project();
    expect(await shop.readModels.get('order', paid)).toMatchObject({ kept: AMOUNT / 100, refundedAt: null });
  });

  it('PAY8 a granted part of a payment is refunded once, however many copies of the shop do it', async () => {
    await shop.execute(paid, grant(40_000));
    await Promise.all([1, 2, 3].map(() => shop.newPayments().refund(paid, itsIntent, META)));
    await shop.delivered();
    expect(await refunds()).toMatchObject([{ amount: 40_000, metadata: { orderId: paid, grant: 'g-40000' } }]);
    expect(await reports()).toMatchObject([{ amount: 40_000, status: 'succeeded', grant: 'g-40000' }]);
  });

  it('PAY8 a granted refund that fails is made again under a new idempotency key, at most three times', async () => {
    await shop.faults({ refundStatus: 'failed' });
    await shop.execute(paid, grant(40_000));
    for (let tries = 0; tries < 5; tries += 1) await shop.payments.refund(paid, itsIntent, META);
    await shop.delivered();
    expect(await refunds()).toHaveLength(3);
    expect(await reports()).toMatchObject(Array(3).fill({ amount: 40_000, status: 'failed', grant: 'g-40000' }));
  });

  it('PAY6 PAY8 a granted refund that failed three times stays listed until a person has returned the money', async () => {
    await shop.faults({ refundStatus: 'failed' });
    await shop.execute(paid, grant(AMOUNT));
    for (let tries = 0; tries < 5; tries += 1) {
      await shop.runAll();
      shop.advance(600_000);
    }
    await shop.scan.runOnce();
    const listed = () => shop.scan.failedRefunds().filter(({ orderId: id }) => id === paid);
    const threeTimes = [{ orderId: paid, intent: itsIntent, failures: 3 }];
    expect(listed()).toEqual(threeTimes);
    expect(shop.lines.join('')).toContain('a refund of a payment failed; a person has to give the money back');
    const asked = (await refunds()).length;
    shop.advance(600_000);
    await shop.runAll();
    expect(listed()).toEqual(threeTimes);
    expect(await refunds()).toHaveLength(asked);
    await shop.faults({});
    await shop.stripe.refunds.create({ payment_intent: itsIntent });
    await shop.delivered();
    await shop.runAll();
    await shop.runAll();
    expect(listed()).toEqual([]);
  });

  it('PAY6 all refunds of a payment are recorded, however many there are', async () => {
    await shop.faults({ drop: true });
    for (let n = 0; n < 101; n += 1) await shop.stripe.refunds.create({ payment_intent: itsIntent, amount: 1 });
    await shop.payments.settleRefunds(itsIntent, META);
    expect(await reports()).toHaveLength(101);
  });

  it('PAY8 PAY9 a granted refund that Stripe refused because of a dispute is made once the dispute is won', async () => {
    await shop.execute(paid, grant(100));
    await shop.faults({ drop: true });
    const [charge] = (await shop.stripe.charges.list({ payment_intent: itsIntent })).data;
    const { body } = await shop.decide(`charges/${charge?.id}/disputes`, {});
    await expect(shop.payments.refund(paid, itsIntent, META)).rejects.toThrow(PaymentProviderFailed);
    await shop.decide(`disputes/${body.id}`, { decision: 'win' });
    await shop.payments.refund(paid, itsIntent, META);
    expect(await reports()).toMatchObject([{ amount: 100, status: 'succeeded' }]);
  });

  it('PAY8 if the bank sends a refund of the dashboard back, the rest of what was granted is refunded', async () => {
    const { id } = await shop.stripe.refunds.create({ payment_intent: itsIntent, amount: 100 });
    await shop.execute(paid, grant(AMOUNT));
    await shop.payments.refund(paid, itsIntent, META);
    await shop.changeRefund(id, 'failed');
    await shop.delivered();
    await shop.payments.refund(paid, itsIntent, META);
    const left = (await refunds()).filter(({ status }) => status === 'succeeded').map(({ amount }) => amount);
    expect(left.sort()).toEqual([100, AMOUNT - 100].sort());
  });

  it('PAY8 if a refund of the dashboard overtakes a granted one, the rest of what was granted is refunded', async () => {
    await shop.execute(paid, grant(AMOUNT));
    await shop.faults({ drop: true });
    let others = 1;
    const list = async (params: Stripe.RefundListParams) => {
      const found = await shop.stripe.refunds.list(params);
      for (; others > 0; others -= 1) await shop.stripe.refunds.create({ payment_intent: itsIntent, amount: 100 });
      return found;
    };
    const overtaken = paymentsWith({ list } as unknown as Partial<Stripe['refunds']>);
    await expect(overtaken.refund(paid, itsIntent, META)).rejects.toThrow(/greater than unrefunded amount/);
    await shop.payments.refund(paid, itsIntent, META);
    expect(await reports()).toMatchObject([
      { amount: 100, status: 'succeeded', grant: null },
      { amount: AMOUNT - 100, status: 'succeeded' },
    ]);
  });

  it('PAY8 a scan makes a granted refund and asks no more once Stripe has sent the money', async () => {
    await shop.execute(paid, grant(AMOUNT));
    await shop.runAll();
    await shop.runAll();
    expect(await refunds()).toMatchObject([{ amount: AMOUNT }]);
    expect(await shop.readModels.get('order', paid)).toMatchObject({ kept: 0, owes: { intents: [], refunds: [] } });
  });

  it('PAY3 PAY6 a webhook about a refund also records the payment, if the webhook about the payment was lost', async () => {
    await shop.faults({ drop: true });
    const order = await shop.place();
    const unseen = await shop.startPaying(order);
    await shop.pay(unseen);
    await shop.faults({});
    await shop.stripe.refunds.create({ payment_intent: unseen, amount: 100 });
    await shop.delivered();
    expect((await shop.history(order)).slice(2)).toMatchObject([
      { type: 'PaymentRecorded', intent: unseen },
      { type: 'RefundReported', amount: 100, grant: null },
    ]);
  });
});
