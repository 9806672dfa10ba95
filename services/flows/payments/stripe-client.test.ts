import { describe, expect, it } from 'vitest';
import { SECRET_KEY } from '../../demo/stripe/simulator.fixture.ts';
import { startPayingShop } from './paying-shop.fixture.ts';
import { PaymentProviderFailed, PaymentUnavailable } from './payments.ts';
import { callStripe, createStripeClient } from './stripe-client.ts';

describe('Stripe client', () => {
  it.each(['sk_live_0123456789', 'rk_live_0123456789'])('a live key is never sent to a simulator: %s', (secretKey) => {
    expect(() => createStripeClient({ secretKey, simulatorUrl: 'http://127.0.0.1:1' })).toThrow(/^A live Stripe key/);
    expect(() => createStripeClient({ secretKey })).not.toThrow();
  });

  it.each(['http://127.0.0.1:1/stripe', 'ftp://127.0.0.1'])(
    "a simulator's address is an origin: %s",
    (simulatorUrl) => {
      expect(() => createStripeClient({ secretKey: SECRET_KEY, simulatorUrl })).toThrow(/address is http/);
    },
  );

  it('PAY1 what Stripe refuses keeps its code, and nothing of the objects it came with', async () => {
    const shop = await startPayingShop();
    try {
      const { stripe } = shop;
      const tooSmall = callStripe(() => stripe.paymentIntents.create({ amount: 100, currency: 'bdt' }));
      await expect(tooSmall).rejects.toMatchObject({ name: 'PaymentProviderFailed', code: 'amount_too_small' });
      const intent = await stripe.paymentIntents.create({ amount: 10_000, currency: 'bdt' });
      await stripe.paymentIntents.cancel(intent.id);
      const error = await callStripe(() => stripe.paymentIntents.cancel(intent.id)).catch((refusal) => refusal);
      expect(error).toBeInstanceOf(PaymentProviderFailed);
      expect(Object.keys(error).sort()).toEqual(['code', 'name']);
      expect(String(error)).not.toContain(intent.client_secret);
      const wrongKey = createStripeClient({ secretKey: 'sk_test_wrong0123456789', simulatorUrl: shop.stripeUrl });
      await expect(callStripe(() => wrongKey.refunds.list())).rejects.toThrow(PaymentProviderFailed);
    } finally {
      await shop.close();
    }
  });

  it('PAY1 a Stripe that cannot be reached is unavailable', async () => {
    const nobody = createStripeClient({ secretKey: SECRET_KEY, simulatorUrl: 'http://127.0.0.1:1' });
    await expect(callStripe(() => nobody.refunds.list())).rejects.toThrow(PaymentUnavailable);
  });
});
