import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { SECRET_KEY } from '../../demo/stripe/simulator.fixture.ts';
import { startPayingShop } from './paying-shop.fixture.ts';
import { PaymentProviderFailed, PaymentUnavailable } from './payments.ts';
import { callStripe, createStripeClient, createUnderKey } from './stripe-client-flow.ts';

describe('Stripe client', () => {
  it.each(['sk_live_0123456789', 'rk_live_0123456789'])('a live key is never sent to a simulator: %s', (secretKey) => {
    expect(() => createStripeClient({ secretKey, simulatorUrl: 'http://127.0.0.1:1' })).toThrow(/^A live Stripe key/);
    expect(() => createStripeClient({ secretKey })).not.toThrow();
  });

  it.each(['http://127.0.0.1:1/stripe', 'ftp://127.0.0.1'])(
    "a simulator's address must be an http(s) origin without a path: %s",
    (simulatorUrl) => {
      expect(() => createStripeClient({ secretKey: SECRET_KEY, simulatorUrl })).toThrow(/address is http/);
    },
  );

  it("PAY1 an error from Stripe keeps its error code and HTTP status, but no other data from Stripe's response", async () => {
    const shop = await startPayingShop();
    try {
      const { stripe } = shop;
      const tooSmall = callStripe(() => stripe.paymentIntents.create({ amount: 100, currency: 'bdt' }));
      await expect(tooSmall).rejects.toMatchObject({ name: 'PaymentProviderFailed', code: 'amount_too_small' });
      const intent = await stripe.paymentIntents.create({ amount: 10_000, currency: 'bdt' });
      await stripe.paymentIntents.cancel(intent.id);
      const error = await callStripe(() => stripe.paymentIntents.cancel(intent.id)).catch((refusal) => refusal);
      expect(error).toBeInstanceOf(PaymentProviderFailed);
      expect(Object.keys(error).sort()).toEqual(['code', 'name', 'problem', 'status']);
      expect(String(error)).not.toContain(intent.client_secret);
      const wrongKey = createStripeClient({ secretKey: 'sk_test_wrong0123456789', simulatorUrl: shop.stripeUrl });
      await expect(callStripe(() => wrongKey.refunds.list())).rejects.toThrow(PaymentProviderFailed);
    } finally {
      await shop.close();
    }
  });

  it.each([
    ['http://simulator.test', 'http', 80],
    ['https://simulator.test', 'https', 443],
    ['http://simulator.test:4010', 'http', '4010'],
  ])('a simulator at %s is called over %s on port %s', (simulatorUrl, protocol, port) => {
    const stripe = createStripeClient({ secretKey: SECRET_KEY, simulatorUrl }) as unknown as {
      getApiField(name: string): unknown;
    };
    expect(['protocol', 'host', 'port'].map((name) => stripe.getApiField(name))).toEqual([
      protocol,
      'simulator.test',
      port,
    ]);
  });

  it('PAY2 PAY4 createUnderKey() retries only failures that Stripe replays, under three successor keys and then under one that changes every ten minutes', async () => {
    const keys: unknown[] = [];
    let now = 1_200_000;
    const failing = (error: Error) =>
      createUnderKey(
        'order:1',
        async ({ idempotencyKey }) => {
          keys.push(idempotencyKey);
          throw error;
        },
        now,
      );
    const headers = { 'idempotent-replayed': 'true' };
    const replayed = new Stripe.errors.StripeAPIError({ type: 'api_error', statusCode: 500, headers });
    await expect(failing(replayed)).rejects.toBe(replayed);
    expect(keys.splice(0)).toEqual(['order:1', 'order:1:1', 'order:1:2', 'order:1:3', 'order:1:t2']);
    const raw = { type: 'invalid_request_error', code: 'charge_disputed', statusCode: 400, headers } as const;
    const refused = new Stripe.errors.StripeInvalidRequestError(raw);
    await expect(failing(refused)).rejects.toBe(refused);
    expect(keys.splice(0)).toHaveLength(5);
    now += 600_000;
    await expect(failing(replayed)).rejects.toBe(replayed);
    expect(keys.splice(0).at(-1)).toBe('order:1:t3');
    for (const error of [new Stripe.errors.StripeAPIError({ type: 'api_error', statusCode: 500 }), new Error('no')]) {
      await expect(failing(error)).rejects.toBe(error);
      expect(keys.splice(0)).toEqual(['order:1']);
    }
  });

  it('PAY1 a call to an unreachable Stripe fails with PaymentUnavailable', async () => {
    const nobody = createStripeClient({ secretKey: SECRET_KEY, simulatorUrl: 'http://127.0.0.1:1' });
    await expect(callStripe(() => nobody.refunds.list())).rejects.toThrow(PaymentUnavailable);
  });
});
