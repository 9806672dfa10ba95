import type { ClientConfig } from '@micro-center/services/contracts/answers.ts';
import type { Stripe } from '@stripe/stripe-js';

/** Loads the Stripe object of this deployment: the local one in demo mode, else Stripe's own script. */
export async function loadStripeFor({ mode, publishableKey }: ClientConfig['stripe']): Promise<Stripe> {
  if (mode === 'demo') {
    const { createDemoStripe } = await import('./demo-stripe.ts');
    return createDemoStripe(publishableKey);
  }
  // The `pure` entry: the plain one would load Stripe's script on every page that imports it.
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('Stripe did not load.');
  return stripe;
}
