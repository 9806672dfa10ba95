import type Stripe from 'stripe';
import type { DemoEdge, DemoOptions } from '../demo/demo-edge.ts';
import { createFirebaseIdentity } from '../identity/firebase-identity.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import { createSpa } from '../pages/spa.ts';
import { DEMO_PROJECT_ID, type Providers, type ShopConfig } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import { createStripeClient } from '../shop/payment/stripe-client-flow.ts';
import { WEB_DIST } from './builds.mjs';
import type { ShopProviders } from './shop-api.ts';

export function createIdentity(providers: Providers): IdentityProvider & { close(): Promise<void> } {
  if (providers.mode === 'live')
    return createFirebaseIdentity({ mode: 'live', projectId: providers.firebase.projectId });
  const { emulatorHost } = providers.addresses;
  return createFirebaseIdentity({ mode: 'demo', projectId: DEMO_PROJECT_ID, emulatorHost });
}

/**
 * Makes the Stripe simulator forget who paid. Real Stripe has no endpoint for this, so the operator has to ask Stripe
 * to redact the data.
 */
export async function forgetPayersLocally(stripe: Stripe, intents: readonly string[]): Promise<void> {
  await stripe.rawRequest('POST', '/simulator/forget', { intents: intents.join(',') });
}

export function stripeAndClientConfig(
  { providers, paymentMinimumTaka: paymentMinimum }: ShopConfig,
  secrets: Secrets,
): Pick<ShopProviders, 'stripe' | 'forgetPayers' | 'webhookSecret' | 'clientConfig'> {
  const { mode } = providers;
  if (mode === 'live') {
    const { secretKey, publishableKey, webhookSecret } = providers.stripe;
    return {
      stripe: createStripeClient({ secretKey }),
      forgetPayers: async () => {},
      webhookSecret,
      clientConfig: {
        paymentMinimum,
        stripe: { mode, publishableKey },
        firebase: { mode, config: { ...providers.firebase.webConfig } },
      },
    };
  }
  const { simulatorUrl } = providers.addresses;
  const stripe = createStripeClient({ secretKey: secrets.stripeSecretKey, simulatorUrl });
  return {
    stripe,
    forgetPayers: (intents) => forgetPayersLocally(stripe, intents),
    webhookSecret: secrets.stripeWebhookSecret,
    clientConfig: {
      ...(providers.isPublic && { demoPublic: true }),
      paymentMinimum,
      stripe: { mode, publishableKey: secrets.stripePublishableKey },
      firebase: { mode, projectId: DEMO_PROJECT_ID, apiKey: 'demo' },
    },
  };
}

/** Opens the providers listed in `ShopProviders`, for a shop that serves requests at `origin`. */
export async function openProviders(parts: {
  readonly config: ShopConfig;
  readonly secrets: Secrets;
  readonly identity: IdentityProvider;
  readonly origin: string;
  readonly print: (line: string) => void;
}): Promise<ShopProviders> {
  const { config, identity, print } = parts;
  const origin = config.publicOrigin ?? parts.origin;
  const providers = stripeAndClientConfig(config, parts.secrets);
  const { stripeSecretKey } = parts.secrets;
  const { adminEmails, edge } = await openDemo(config.providers, { config, origin, print, stripeSecretKey });
  return {
    ...providers,
    identity,
    adminEmails: [...config.adminEmails, ...adminEmails],
    edge,
    fallback: createSpa(WEB_DIST, providers.clientConfig, origin),
  };
}

/** Imports the demo's code dynamically, so that a real shop never loads it. */
async function openDemo(providers: Providers, options: DemoOptions): Promise<DemoEdge> {
  if (providers.mode === 'live') return { adminEmails: [], edge: () => [] };
  const { openDemoEdge } = await import('../demo/demo-edge.ts');
  return openDemoEdge(providers, options);
}
