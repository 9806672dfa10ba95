import { describe, expect, it } from 'vitest';
import { simulatorSettingsSchema } from '../demo/stripe/settings.ts';
import { demoStripeKeys } from './demo-stripe-keys.ts';

const SECRET = 'an-access-token-secret-of-32-bytes';

describe('keys of the local Stripe', () => {
  it('the keys are the same for the same secret, and differ for another secret', () => {
    const keys = demoStripeKeys(SECRET);
    expect(demoStripeKeys(SECRET)).toEqual(keys);
    expect(new Set([...Object.values(keys), ...Object.values(demoStripeKeys(`${SECRET}!`))])).toHaveLength(6);
  });

  it('the keys have nothing in common after their prefixes, because one of them is public', () => {
    const tails = Object.values(demoStripeKeys(SECRET)).map((key) => key.split('_').at(-1));
    expect(new Set(tails)).toHaveLength(3);
  });

  it('the simulator accepts the keys', () => {
    const settings = { dataFile: 'stripe.sqlite', webhookUrl: 'http://web:8080/webhooks/stripe' };
    expect(() => simulatorSettingsSchema.parse({ ...settings, ...demoStripeKeys(SECRET) })).not.toThrow();
  });
});
