import type { ClientConfig } from '@micro-center/services/contracts/client-config.ts';
import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';
import { useGetClientConfigQuery } from '../../api/client-config.ts';

type StripeConfig = ClientConfig['stripe'];

/** The state of the page's Stripe object: loading, ready to use, not configured or failed to load. */
export type StripeObject =
  | { state: 'loading' }
  | { state: 'ready'; stripe: Stripe; demo: boolean }
  | { state: 'not_configured' }
  | { state: 'failed'; retry: () => void };

/** Reads the deployment's configuration and loads the matching Stripe object. */
export function useStripeObject(): StripeObject {
  const config = useGetClientConfigQuery();
  const settings = config.data?.stripe;
  const [loaded, setLoaded] = useState<{ of: StripeConfig; stripe: Stripe | null } | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: changing `attempt` loads the same settings again
  useEffect(() => {
    if (!settings?.publishableKey) return;
    let wanted = true;
    const keep = (stripe: Stripe | null) => wanted && setLoaded({ of: settings, stripe });
    setLoaded(null);
    // Load the Stripe object before rendering <Elements>. If <Elements> were given a promise that rejects, it would
    // render nothing at all.
    loadStripeFor(settings).then(keep, () => keep(null));
    return () => {
      wanted = false;
    };
  }, [settings, attempt]);

  if (config.isError && !settings) return { state: 'failed', retry: config.refetch };
  if (settings && !settings.publishableKey) return { state: 'not_configured' };
  if (!settings || loaded?.of !== settings) return { state: 'loading' };
  if (!loaded.stripe) return { state: 'failed', retry: () => setAttempt((count) => count + 1) };
  return { state: 'ready', stripe: loaded.stripe, demo: settings.mode === 'demo' };
}

/** In demo mode, creates a simulated Stripe object. Otherwise, loads Stripe's script. */
async function loadStripeFor({ mode, publishableKey }: ClientConfig['stripe']): Promise<Stripe> {
  if (mode === 'demo') {
    const { createDemoStripe } = await import('./demo-stripe.ts');
    return createDemoStripe(publishableKey);
  }
  // Unlike the default entry point, `pure` doesn't load Stripe's script on import.
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('Stripe did not load.');
  return stripe;
}
