import { describe, expect, it } from 'vitest';
import { simulatorSettingsSchema } from '../demo/stripe/settings.ts';
import { demoStripeKeys } from './demo-stripe-keys.ts';

const SECRET = 'an-access-token-secret-of-32-bytes';

describe('keys of the local Stripe', () => {
  it('are the same wherever the secret is, and others with another one', () => {
    const keys = demoStripeKeys(SECRET);
    expect(demoStripeKeys(SECRET)).toEqual(keys);
    expect(new Set([...Object.values(keys), ...Object.values(demoStripeKeys(`${SECRET}!`))])).toHaveLength(6);
  });

  it('do not share what follows their prefix, since one of them is public', () => {
    const tails = Object.values(demoStripeKeys(SECRET)).map((key) => key.split('_').at(-1));
    expect(new Set(tails)).toHaveLength(3);
  });

  it('are what the simulator takes', () => {
    const settings = { dataFile: 'stripe.sqlite', webhookUrl: 'http://web:8080/webhooks/stripe' };
    expect(() => simulatorSettingsSchema.parse({ ...settings, ...demoStripeKeys(SECRET) })).not.toThrow();
  });
});
