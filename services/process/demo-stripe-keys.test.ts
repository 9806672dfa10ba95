import { describe, expect, it } from 'vitest';
import { simulatorSettingsSchema } from '../demo/stripe/settings.ts';
import { demoStripeKeys } from './demo-stripe-keys.ts';

const SECRET = 'an-access-token-secret-of-32-bytes';

describe('demo Stripe keys', () => {
  it('the same secret always gives the same demo Stripe keys, and a different secret gives different keys', () => {
    const keys = demoStripeKeys(SECRET);
    expect(demoStripeKeys(SECRET)).toEqual(keys);
    expect(new Set([...Object.values(keys), ...Object.values(demoStripeKeys(`${SECRET}!`))])).toHaveLength(6);
  });

  it("the demo Stripe keys are all different after their prefixes, so that the publishable key doesn't reveal the other two", () => {
    const tails = Object.values(demoStripeKeys(SECRET)).map((key) => key.split('_').at(-1));
    expect(new Set(tails)).toHaveLength(3);
  });

  it('the Stripe simulator accepts the demo Stripe keys', () => {
    const settings = { dataFile: 'stripe.sqlite', webhookUrl: 'http://web:8080/webhooks/stripe' };
    expect(() => simulatorSettingsSchema.parse({ ...settings, ...demoStripeKeys(SECRET) })).not.toThrow();
  });
});
