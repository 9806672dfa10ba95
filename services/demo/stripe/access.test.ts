import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLISHABLE_KEY, type Running, refusalOf, SECRET_KEY, sdk, startSimulator } from './simulator.fixture.ts';

let running: Running;
let intent: Stripe.PaymentIntent;
beforeAll(async () => {
  running = await startSimulator();
  intent = await running.stripe.paymentIntents.create({ amount: 125_000, currency: 'bdt', metadata: { order: 'o1' } });
});
afterAll(() => running.close());

describe('calls to the simulated Stripe API', () => {
  it('a request with a missing or wrong API key gets a 401, and the error message masks most of a wrong key', async () => {
    const none = await running.raw('/v1/payment_intents', { method: 'GET', key: '' });
    expect(none.status).toBe(401);
    const refusal = await refusalOf(sdk(running.port, 'sk_test_somebodyelse9876').paymentIntents.list());
    expect(refusal).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    expect(refusal.message).toBe('Invalid API Key provided: sk_test_****9876');
  });

  it('the secret key is also accepted as the user name in Basic authentication', async () => {
    const authorization = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`;
    const answer = await running.raw('/v1/payment_intents', { method: 'GET', key: '', headers: { authorization } });
    expect(answer.status).toBe(200);
  });

  it('a request for an unknown object or path gets a 404 with a Stripe error body', async () => {
    const refusal = await refusalOf(running.stripe.paymentIntents.retrieve('pi_none'));
    expect(refusal).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    expect(refusal.message).toBe("No such payment_intent: 'pi_none'");
    const unknown = await running.raw('/v1/customers', { method: 'GET' });
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it('the Stripe simulator accepts only form-encoded parameters', async () => {
    const json = { 'content-type': 'application/json' };
    const answer = await running.raw('/v1/payment_intents', { body: '{"amount":125000}', headers: json });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });
});

describe('the publishable key', () => {
  const other = { client_secret: 'pi_other_secret_x' };

  it('every endpoint that requires the secret key refuses the publishable key with a 403', async () => {
    const { browser } = running;
    const calls = [
      browser.paymentIntents.create({ amount: 125_000, currency: 'bdt' }),
      browser.paymentIntents.list(),
      browser.paymentIntents.update(intent.id, { amount: 60_000 }),
      browser.paymentIntents.cancel(intent.id),
      browser.refunds.create({ payment_intent: intent.id }),
      browser.refunds.list(),
      browser.events.list(),
      browser.charges.retrieve('ch_1'),
      browser.charges.list(),
      browser.disputes.list(),
      browser.disputes.close('dp_1'),
      browser.balance.retrieve(),
      browser.balanceTransactions.list(),
    ];
    for (const call of calls) {
      const refusal = await refusalOf(call);
      expect(refusal).toBeInstanceOf(Stripe.errors.StripePermissionError);
      expect(refusal.code).toBe('secret_key_required');
    }
    expect(await running.stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
  });

  it('a publishable key cannot retrieve or confirm a payment intent if the client secret is missing or wrong', async () => {
    const { browser } = running;
    expect((await refusalOf(browser.paymentIntents.retrieve(intent.id))).code).toBe('parameter_missing');
    const wrong = await refusalOf(browser.paymentIntents.retrieve(intent.id, other));
    expect(wrong.code).toBe('payment_intent_invalid_parameter');
    const body = `client_secret=${other.client_secret}&payment_method=pm_card_visa`;
    const confirmed = await running.raw(`/v1/payment_intents/${intent.id}/confirm`, { key: PUBLISHABLE_KEY, body });
    expect(confirmed.status).toBe(400);
    expect((await running.stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method');
  });

  it('with the client secret, a publishable key can retrieve and confirm a payment intent, but not see its private fields', async () => {
    const { browser } = running;
    const clientSecret = intent.client_secret ?? '';
    const seen = await browser.paymentIntents.retrieve(intent.id, { client_secret: clientSecret });
    expect(seen).toMatchObject({ id: intent.id, amount: 125_000, status: 'requires_payment_method' });
    expect(seen).not.toHaveProperty('metadata');
    const card = 'payment_method_data[card]';
    const body = new URLSearchParams({
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      [`${card}[number]`]: '4242424242424242',
      [`${card}[exp_month]`]: '12',
      [`${card}[exp_year]`]: '40',
      [`${card}[cvc]`]: '123',
      'payment_method_data[billing_details][name]': 'Rina',
      use_stripe_sdk: 'true',
    });
    const path = `/v1/payment_intents/${intent.id}/confirm`;
    const answer = await running.raw(path, { key: PUBLISHABLE_KEY, body: body.toString() });
    expect(answer.status).toBe(200);
    const paid = await answer.json();
    expect(paid).toMatchObject({ id: intent.id, status: 'succeeded' });
    expect(paid).not.toHaveProperty('latest_charge');
    const charge = (await running.stripe.paymentIntents.retrieve(intent.id)).latest_charge;
    expect((await running.stripe.charges.retrieve(String(charge))).billing_details.name).toBe('Rina');
  });

  it("a declined confirmation with a publishable key does not reveal the payment intent's private fields", async () => {
    const { id, client_secret } = await running.stripe.paymentIntents.create({ amount: 125_000, currency: 'bdt' });
    const declined = await running.raw(`/v1/payment_intents/${id}/confirm`, {
      key: PUBLISHABLE_KEY,
      body: `client_secret=${client_secret}&payment_method=pm_card_chargeDeclined`,
    });
    expect(declined.status).toBe(402);
    const { error } = (await declined.json()) as { error: { payment_intent: object } };
    expect(error.payment_intent).toMatchObject({ id, status: 'requires_payment_method' });
    for (const field of ['metadata', 'latest_charge', 'amount_received', 'customer']) {
      expect(error.payment_intent).not.toHaveProperty(field);
    }
  });

  it("the Stripe simulator's control endpoints require the secret key and refuse unknown faults", async () => {
    for (const path of ['/simulator/faults', '/simulator/deliveries', '/simulator/payments']) {
      for (const [key, status] of [
        ['', 401],
        [PUBLISHABLE_KEY, 403],
      ] as const) {
        expect((await running.raw(path, { method: 'GET', key })).status).toBe(status);
      }
    }
    const bad = await running.faults({ duplicate: 2, explode: true });
    expect(bad.status).toBe(400);
  });
});
