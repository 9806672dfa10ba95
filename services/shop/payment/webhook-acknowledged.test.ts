import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WEBHOOK_SECRET } from '../../demo/stripe/simulator.fixture.ts';
import { AMOUNT, eventBody, META, newId, placed, started } from './paying-shop.fixture.ts';
import { PaymentUnavailable } from './payments.ts';
import { freshShop, intent, orderId, paidOnce, problem, shop, succeeded } from './webhook-shop.fixture.ts';

freshShop();

describe('Stripe webhooks', () => {
  it('PAY3 a webhook event is not acknowledged until its outcome is appended, so that Stripe redelivers the event after a failure', async () => {
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

  it('PAY3 while Stripe is down, a webhook event that requires a call to Stripe gets 503 payment_unavailable', async () => {
    await shop.stopStripe();
    const answer = await shop.post(succeeded());
    expect(await problem(answer)).toEqual([503, 'payment_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('5');
    await shop.restartStripe();
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  it('PAY3 if the rules for orders refuse the outcome that a webhook event reports, the event is logged and not acknowledged', async () => {
    shop.webhooks.settle = async () => ({ kind: 'refused', refusal: { code: 'not_found', id: orderId } });
    expect(await problem(await shop.post(succeeded()))).toEqual([500, 'internal']);
    expect(shop.lines.at(-1)).toContain('refused by the rules');
    expect(shop.lines.at(-1)).toContain(orderId);
  });

  it("PAY3 a webhook event about a payment intent that isn't the shop's is acknowledged and logged", async () => {
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

  it("PAY3 a payment for an order that isn't in the event log is acknowledged and logged as an error", async () => {
    const lost = newId();
    const method = { enabled: true, allow_redirects: 'never' as const };
    const about = { currency: 'bdt', metadata: { orderId: lost }, automatic_payment_methods: method };
    const { id } = await shop.stripe.paymentIntents.create({ ...about, amount: AMOUNT });
    await shop.pay(id);
    const { deliveries } = await shop.delivered();
    expect(deliveries.every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(true);
    const errors = shop.lines.filter((line) => JSON.parse(line).level >= 50);
    expect(errors).toHaveLength(1);
    expect(JSON.parse(errors[0] ?? '')).toMatchObject({ orderId: lost, intent: id, amount: AMOUNT });
    expect(await shop.payments.settle(id, META)).toEqual({ kind: 'order_missing', orderId: lost });

    expect(await shop.history(lost)).toEqual([]);
  });

  it("PAY3 webhook events of types that the shop doesn't handle are acknowledged and change nothing", async () => {
    const answer = await shop.post(JSON.stringify({ id: 'evt_1', type: 'charge.updated', data: { object: {} } }));
    expect(answer.status).toBe(200);
    expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
  });

  describe('PAY3 invalid webhook events', () => {
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

    it('a webhook event signed with another secret is refused', async () => {
      const answer = await shop.post(succeeded(), { secret: 'whsec_another0123456789' });
      expect(await problem(answer)).toEqual([400, 'invalid_signature']);
    });

    it('a webhook event that was changed after it was signed is refused', async () => {
      const signature = shop.stripe.webhooks.generateTestHeaderString({ payload: succeeded(), secret: WEBHOOK_SECRET });
      const answer = await shop.post(succeeded(), { headers: { 'stripe-signature': signature } });
      expect(await problem(answer)).toEqual([400, 'invalid_signature']);
    });

    it('a webhook event without a signature or a body is refused', async () => {
      const bare = await fetch(shop.webhookUrl, { method: 'POST', body: succeeded() });
      expect(await problem(bare)).toEqual([400, 'invalid_signature']);
      expect(await problem(await fetch(shop.webhookUrl, { method: 'POST' }))).toEqual([400, 'invalid_signature']);
    });

    it('a webhook event signed 301 s ago is refused', async () => {
      expect(await problem(await shop.post(succeeded(), { age: 301 }))).toEqual([400, 'invalid_signature']);
    });

    it.each([
      ['not JSON', 'pi_'],
      ['no event', '[]'],
      ['an event without an intent', '{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{}}}'],
      ['an intent that is a path', eventBody('payment_intent.succeeded', 'pi_/../refunds')],
      ['an intent with a path behind it', eventBody('payment_intent.succeeded', 'pi_1/../refunds')],
      ['an intent with a path before it', eventBody('payment_intent.succeeded', '../pi_1')],
    ])('a signed event that is malformed is refused: %s', async (_what, body) => {
      expect(await problem(await shop.post(body))).toEqual([400, 'invalid_webhook']);
    });

    it('a webhook event that is too large is refused', async () => {
      expect(await problem(await shop.post(' '.repeat(600_000)))).toEqual([413, 'payload_too_large']);
    });
  });

  it('PAY3 a webhook event signed 299 s ago is accepted', async () => {
    await shop.faults({ drop: true });
    await shop.pay(intent);
    expect((await shop.post(succeeded(), { age: 299 })).status).toBe(200);
    expect(await shop.history(orderId)).toEqual(paidOnce());
  });
});
