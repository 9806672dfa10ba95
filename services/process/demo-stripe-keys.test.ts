import { describe, expect, it } from 'vitest';
import { simulatorSettingsSchema } from '../demo/stripe/settings.ts';
import { demoStripeKeys } from './demo-stripe-keys.ts';

const SECRET = 'an-access-token-secret-of-32-bytes';

describe('local Stripe keys', () => {
  it('the same secret always gives the same local Stripe keys, and a different secret gives different keys', () => {
    const keys = demoStripeKeys(SECRET);
    expect(demoStripeKeys(SECRET)).toEqual(keys);
    expect(new Set([...Object.values(keys), ...Object.values(demoStripeKeys(`${SECRET}!`))])).toHaveLength(6);
  });

  it('the local Stripe keys share nothing after their prefixes, because the publishable key is public', () => {
    const tails = Object.values(demoStripeKeys(SECRET)).map((key) => key.split('_').at(-1));
    expect(new Set(tails)).toHaveLength(3);
  });

  it('the Stripe simulator accepts the derived keys', () => {
    const settings = { dataFile: 'stripe.sqlite', webhookUrl: 'http://web:8080/webhooks/stripe' };
    expect(() => simulatorSettingsSchema.parse({ ...settings, ...demoStripeKeys(SECRET) })).not.toThrow();
  });
});
