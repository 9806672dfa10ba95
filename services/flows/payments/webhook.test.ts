import { readFileSync } from 'node:fs';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problemSchema } from '../../contracts/problems.ts';
import { WEBHOOK_SECRET } from '../../demo/stripe/simulator.fixture.ts';
import {
  AMOUNT,
  eventBody,
  META,
  newId,
  type PayingShop,
  placed,
  recorded,
  refundDue,
  started,
  startPayingShop,
} from './paying-shop.fixture.ts';
import { INTENT_EVENTS, PaymentUnavailable, REFUND_EVENTS, WEBHOOK_EVENTS } from './payments.ts';
import { createStripePayments } from './stripe-payments.ts';

it('V26 PAY3 PAY6 Stripe is asked for every event that ends an intent or a refund, and README names the same', () => {
  expect(WEBHOOK_EVENTS).toEqual([...INTENT_EVENTS, ...REFUND_EVENTS]);
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const step =
    /add the webhook `POST \/webhooks\/stripe` with the events ([^.]*(?:\.[a-z][^.]*)*)\.\n/.exec(readme)?.[1] ?? '';
  expect([...step.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name)).toEqual([...WEBHOOK_EVENTS]);
});

describe('Stripe webhooks', () => {
  let shop: PayingShop;
  let orderId: string;
  let intent: string;
  beforeEach(async () => {
    shop = await startPayingShop();
    orderId = await shop.place();
    intent = await shop.startPaying(orderId);
  });
  afterEach(() => shop.close());

  const succeeded = (id = intent) => eventBody('payment_intent.succeeded', id);
  const paidOnce = () => [placed, started(intent), recorded(intent)];

  /** An intent for this order made at Stripe by hand, and paid. */
  async function payByHand(amount: number, currency: string): Promise<string> {
    const method = { enabled: true, allow_redirects: 'never' as const };
    const params = { amount, currency, metadata: { orderId }, automatic_payment_methods: method };
    const { id } = await shop.stripe.paymentIntents.create(params);
    await shop.pay(id);
    await shop.delivered();
    return id;
  }

  it('X4 PAY2 delivered three times at once records the payment once', async () => {
    await shop.faults({ duplicate: 3 });
    await shop.pay(intent);
    const { deliveries } = await shop.delivered();
    const ends = deliveries.filter(({ type }) => type === 'payment_intent.succeeded');
    expect(ends.map(({ state, attempts }) => ({ state, attempts }))).toEqual(
      Array(3).fill({ state: 'delivered', attempts: 1 }),
    );
    expect(await shop.history(orderId)).toEqual(paidOnce());
  });

  it('PAY1 before the client reports it: the report changes nothing', async () => {
    await shop.pay(intent);
    await shop.delivered();
    expect(await shop.history(orderId)).toEqual(paidOnce());
    const outcome = await shop.payments.settle(intent, META);
    expect(outcome).toEqual({ kind: 'settled', orderId, version: 3, modified: false, paid: true });
    expect(await shop.history(orderId)).toEqual(paidOnce());
  });

  it('PAY1 after the client reports it: acknowledged, and nothing is added', async () => {
    await shop.faults({ drop: true });
    await shop.pay(intent);
    const outcome = await shop.payments.settle(intent, META);
    expect(outcome).toEqual({ kind: 'settled', orderId, version: 3, modified: true, paid: true });
    const answer = await shop.post(succeeded());
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    expect(await shop.history(orderId)).toEqual(paidOnce());
  });

  it('PAY2 at once with the client, in several copies, the payment is recorded once', async () => {
    await shop.faults({ drop: true });
    await shop.pay(intent);
    const copies = [shop.payments, shop.newPayments(), shop.newPayments()];
    const outcomes = await Promise.all(copies.map((copy) => copy.settle(intent, META)));
    expect(outcomes.filter((outcome) => outcome.kind === 'settled' && outcome.modified)).toHaveLength(1);
    expect(await shop.history(orderId)).toEqual(paidOnce());
  });

  it('PAY1 a report before the card was charged records nothing', async () => {
    const outcome = await shop.payments.settle(intent, META);
    expect(outcome).toEqual({ kind: 'not_complete', orderId, status: 'requires_payment_method' });
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it('PAY1 believes Stripe and not the event: succeeded in the body alone is not acknowledged', async () => {
    const answer = await shop.post(succeeded());
    expect(answer.status).toBe(502);
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  describe('PAY1 with Stripe out of reach', () => {
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

    it('a signed event that agrees with what the order asked for is recorded', async () => {
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
    it('a signed event that disagrees with it is not believed', async () => {
      for (const [what, object, change] of disagreeing) {
        const answer = await shop.post(event(object, change));
        expect(await problem(answer), what).toEqual([503, 'payment_unavailable']);
      }
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
    });

    it('is not believed for an order that was cancelled meanwhile', async () => {
      await shop.cancel(orderId);
      expect((await shop.post(event())).status).toBe(503);
    });

    it('what the client reports is not believed, but is answered once the payment is recorded', async () => {
      const report = () => shop.payments.settle(intent, META, { orderId });
      await expect(report()).rejects.toThrow(PaymentUnavailable);
      await shop.post(event());
      expect(await report()).toEqual({ kind: 'settled', orderId, version: 3, modified: false, paid: true });
      expect((await shop.post(event())).status).toBe(200);
      expect(await shop.history(orderId)).toEqual(paidOnce());
    });
  });

  it('PAY2 a cancelled intent is abandoned', async () => {
    await shop.stripe.paymentIntents.cancel(intent);
    await shop.delivered();
    expect(await shop.history(orderId)).toEqual([placed, started(intent), { type: 'PaymentAbandoned', intent }]);
  });

  it('PAY4 for a cancelled order the money is due to go back', async () => {
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

  it('PAY4 a wrong amount is due to go back, and the order stays unpaid', async () => {
    const other = await payByHand(AMOUNT - 100, 'bdt');
    const due = refundDue(other, 'wrong_amount', { amount: AMOUNT - 100 });
    expect(await shop.history(orderId)).toEqual([placed, started(intent), due]);
  });

  it('T13 PAY1 what was received counts, not what was asked for', async () => {
    const found = await shop.stripe.paymentIntents.retrieve(intent);
    const partly = { ...found, status: 'succeeded' as const, amount_received: AMOUNT - 100 };
    const paymentIntents = { ...shop.stripe.paymentIntents, retrieve: async () => partly };
    const stripe = { ...shop.stripe, paymentIntents } as unknown as Stripe;
    const { handler, clock, logger } = shop;
    await createStripePayments({ stripe, handler, clock, logger }).settle(intent, META);
    const due = refundDue(intent, 'wrong_amount', { amount: AMOUNT - 100 });
    expect(await shop.history(orderId)).toEqual([placed, started(intent), due]);
  });

  it('E6 PAY6 news of a refund that is not ours, or without an intent, is acknowledged', async () => {
    const body = (payment_intent: string | null) =>
      JSON.stringify({ id: 'evt_1', type: 'refund.failed', data: { object: { id: 're_1', payment_intent } } });
    expect((await shop.post(body(null))).status).toBe(200);
    expect((await shop.post(body('pi_elsewhere'))).status).toBe(200);
    expect((await shop.post(body(intent))).status).toBe(200);
    expect((await shop.post(body('x'))).status).toBe(400);
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it('PAY4 a wrong currency is due to go back, and the order stays unpaid', async () => {
    const other = await payByHand(AMOUNT, 'usd');
    const due = refundDue(other, 'wrong_currency', { currency: 'usd' });
    expect(await shop.history(orderId)).toEqual([placed, started(intent), due]);
  });

  it('PAY4 a second payment of one order is due to go back', async () => {
    await shop.pay(intent);
    const other = await payByHand(AMOUNT, 'bdt');
    expect(await shop.history(orderId)).toEqual([...paidOnce(), refundDue(other, 'already_paid')]);
  });

  it('PAY3 is not acknowledged while its outcome is not appended, so that Stripe sends it again', async () => {
    const failures = [new PaymentUnavailable('down'), new Error('the disk is full')];
    shop.webhooks.settle = async (...args) => {
      const failure = failures.shift();
      if (failure) throw failure;
      return shop.payments.settle(...args);
    };
    await shop.pay(intent);
    const { deliveries } = await shop.delivered();
    const end = deliveries.find(({ type }) => type === 'payment_intent.succeeded');
    expect(end).toMatchObject({ state: 'delivered', attempts: 3 });
    expect(await shop.history(orderId)).toEqual(paidOnce());
  });

  it('PAY3 while Stripe cannot be asked it answers 503 payment_unavailable', async () => {
    await shop.stopStripe();
    const answer = await shop.post(succeeded());
    expect(await problem(answer)).toEqual([503, 'payment_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('5');
    await shop.restartStripe();
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it('PAY3 an outcome that the rules of the order refuse is not acknowledged, and said in the log', async () => {
    shop.webhooks.settle = async () => ({ kind: 'refused', refusal: { code: 'not_found', id: orderId } });
    expect(await problem(await shop.post(succeeded()))).toEqual([500, 'internal']);
    expect(shop.lines.at(-1)).toContain('refused by the rules');
    expect(shop.lines.at(-1)).toContain(orderId);
  });

  it('PAY3 an intent that is not ours is acknowledged and said in the log', async () => {
    const foreign = await shop.stripe.paymentIntents.create({ amount: AMOUNT, currency: 'bdt' });
    const lost = await shop.stripe.paymentIntents.create({
      amount: AMOUNT,
      currency: 'bdt',
      metadata: { orderId: newId() },
    });
    for (const id of [foreign.id, lost.id, 'pi_unheard']) {
      const answer = await shop.post(succeeded(id));
      expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
      expect(shop.lines.at(-1)).toContain('not ours');
      expect(shop.lines.at(-1)).toContain(id);
    }
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it('E17 PAY3 money for an order that the log lacks is acknowledged, an error in the log, and kept until it is back', async () => {
    const lost = newId();
    const method = { enabled: true, allow_redirects: 'never' as const };
    const about = { currency: 'bdt', metadata: { orderId: lost }, automatic_payment_methods: method };
    const { id } = await shop.stripe.paymentIntents.create({ ...about, amount: AMOUNT });
    await shop.pay(id);
    const { deliveries } = await shop.delivered();
    expect(deliveries.every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(true);
    const noted = { what: 'paid_for_missing_order', orderId: lost, intent: id };
    expect(shop.payments.unrecordedMoney()).toEqual([{ ...noted, amount: AMOUNT }]);
    const errors = shop.lines.filter((line) => JSON.parse(line).level >= 50);
    expect(errors).toHaveLength(1);
    expect(JSON.parse(errors[0] ?? '')).toMatchObject({ orderId: lost, intent: id, amount: AMOUNT });
    expect(await shop.payments.settle(id, META)).toEqual({ kind: 'order_missing', orderId: lost });

    await shop.stripe.refunds.create({ payment_intent: id, amount: 100 });
    await shop.delivered();
    expect(shop.payments.unrecordedMoney()).toEqual([{ ...noted, amount: AMOUNT - 100 }]);
    await shop.stripe.refunds.create({ payment_intent: id });
    await shop.delivered();
    expect(shop.payments.unrecordedMoney()).toEqual([]);
    expect(await shop.history(lost)).toEqual([]);
  });

  it('PAY3 events of other types are acknowledged and change nothing', async () => {
    const answer = await shop.post(JSON.stringify({ id: 'evt_1', type: 'charge.updated', data: { object: {} } }));
    expect(answer.status).toBe(200);
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  describe('PAY3 refused', () => {
    beforeEach(async () => {
      await shop.faults({ drop: true });
      await shop.pay(intent);
    });
    afterEach(async () => {
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
      const said = shop.lines.at(-1) ?? '';
      expect(said).toContain('refused');
      for (const secret of [WEBHOOK_SECRET, intent, 'v1=']) expect(said).not.toContain(secret);
    });

    it('forged: signed with another secret', async () => {
      const answer = await shop.post(succeeded(), { secret: 'whsec_another0123456789' });
      expect(await problem(answer)).toEqual([400, 'invalid_signature']);
    });

    it('changed on its way', async () => {
      const signature = shop.stripe.webhooks.generateTestHeaderString({ payload: succeeded(), secret: WEBHOOK_SECRET });
      const answer = await shop.post(succeeded(), { headers: { 'stripe-signature': signature } });
      expect(await problem(answer)).toEqual([400, 'invalid_signature']);
    });

    it('without a signature, and without a body', async () => {
      const bare = await fetch(shop.webhookUrl, { method: 'POST', body: succeeded() });
      expect(await problem(bare)).toEqual([400, 'invalid_signature']);
      expect(await problem(await fetch(shop.webhookUrl, { method: 'POST' }))).toEqual([400, 'invalid_signature']);
    });

    it('signed 301 s ago', async () => {
      expect(await problem(await shop.post(succeeded(), { age: 301 }))).toEqual([400, 'invalid_signature']);
    });

    it.each([
      ['not JSON', 'pi_'],
      ['no event', '[]'],
      ['an event without an intent', '{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{}}}'],
      ['an intent that is a path', eventBody('payment_intent.succeeded', 'pi_/../refunds')],
      ['an intent with a path behind it', eventBody('payment_intent.succeeded', 'pi_1/../refunds')],
      ['an intent with a path before it', eventBody('payment_intent.succeeded', '../pi_1')],
    ])('signed but malformed: %s', async (_what, body) => {
      expect(await problem(await shop.post(body))).toEqual([400, 'invalid_webhook']);
    });

    it('too large', async () => {
      expect(await problem(await shop.post(' '.repeat(600_000)))).toEqual([413, 'payload_too_large']);
    });
  });

  it('PAY3 signed 299 s ago is taken', async () => {
    await shop.faults({ drop: true });
    await shop.pay(intent);
    expect((await shop.post(succeeded(), { age: 299 })).status).toBe(200);
    expect(await shop.history(orderId)).toEqual(paidOnce());
  });

  async function problem(answer: Response): Promise<[number, string]> {
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const { code, status } = problemSchema.parse(await answer.json());
    expect(status).toBe(answer.status);
    return [answer.status, code];
  }
});
