import type { ClientConfig } from '@micro-center/services/contracts/answers.ts';
import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';
import { useGetClientConfigQuery } from '../../api/client-config.ts';
import { loadStripeFor } from './load-stripe.ts';

type StripeConfig = ClientConfig['stripe'];

/** Where the payment provider stands; `failed` and `not_configured` are to be said, never left blank. */
export type StripeObject =
  | { state: 'loading' }
  | { state: 'ready'; stripe: Stripe; demo: boolean }
  | { state: 'not_configured' }
  | { state: 'failed'; retry: () => void };

/** Reads the deployment's configuration and loads the Stripe object that it names. */
export function useStripeObject(): StripeObject {
  const config = useGetClientConfigQuery();
  const settings = config.data?.stripe;
  const [loaded, setLoaded] = useState<{ of: StripeConfig; stripe: Stripe | null } | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt loads the same settings again
  useEffect(() => {
    if (!settings?.publishableKey) return;
    let wanted = true;
    const keep = (stripe: Stripe | null) => wanted && setLoaded({ of: settings, stripe });
    setLoaded(null);
    // <Elements> would stay blank on a rejected promise, without a word.
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
