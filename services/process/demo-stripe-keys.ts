import { createHmac } from 'node:crypto';

/** What the local Stripe and the shop must agree on. */
export interface DemoStripeKeys {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
}

/** The keys of a local Stripe that several processes call: equal wherever they share their secret. */
export function demoStripeKeys(accessTokenSecret: string): DemoStripeKeys {
  const derive = (label: string) => createHmac('sha256', accessTokenSecret).update(label).digest('hex');
  return {
    secretKey: `sk_test_${derive('demo stripe secret key')}`,
    publishableKey: `pk_test_${derive('demo stripe publishable key')}`,
    webhookSecret: `whsec_${derive('demo stripe webhook secret')}`,
  };
}
