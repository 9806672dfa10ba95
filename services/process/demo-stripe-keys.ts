import { createHmac } from 'node:crypto';

/**
 * Derives the demo's Stripe keys from the shared secret, so that all of the shop's processes and the Stripe simulator
 * have the same keys.
 */
export function demoStripeKeys(accessTokenSecret: string) {
  const derive = (label: string) => createHmac('sha256', accessTokenSecret).update(label).digest('hex');
  return {
    secretKey: `sk_test_${derive('demo stripe secret key')}`,
    publishableKey: `pk_test_${derive('demo stripe publishable key')}`,
    webhookSecret: `whsec_${derive('demo stripe webhook secret')}`,
  };
}
