import type Stripe from 'stripe';
import type { ClientConfig } from '../contracts/client-config.ts';
import type { DemoEdge, DemoOptions } from '../demo/demo-edge.ts';
import type { Fallback } from '../http/dependencies.ts';
import { createFirebaseIdentity } from '../identity/firebase-identity.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import { createSpa } from '../pages/spa.ts';
import { DEMO_PROJECT_ID, type Providers, type ShopConfig } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import { createStripeClient } from '../shop/payment/stripe-client-flow.ts';
import { WEB_DIST } from './builds.mjs';
import type { Cleanup } from './cleanup.ts';

/** What the shop calls to take payments and sign users in. */
export interface ProviderClients {
  readonly identity: IdentityProvider;
  readonly stripe: Stripe;
  /** asks the payment provider to forget who paid these payment intents, or does nothing if the provider doesn't support that */
  readonly forgetPayers: (intents: readonly string[]) => Promise<void>;
  readonly webhookSecret: string;
  readonly clientConfig: ClientConfig;
}

/** What the API serves besides its routes: the demo's pages and the client's. */
export interface ShopSite extends DemoEdge {
  readonly fallback?: Fallback;
}

/**
 * Makes the Stripe simulator forget who paid. Real Stripe has no endpoint for this, so the operator has to ask Stripe
 * to redact the data.
 */
export async function forgetPayersLocally(stripe: Stripe, intents: readonly string[]): Promise<void> {
  await stripe.rawRequest('POST', '/simulator/forget', { intents: intents.join(',') });
}

/** Opens the clients of Stripe and Firebase, or of a demo's providers, whose keys are the shop's own secrets. */
export function openClients(
  config: ShopConfig,
  secrets: Secrets,
  { cleanup, identity }: { readonly cleanup: Cleanup; readonly identity?: IdentityProvider | undefined },
): ProviderClients {
  return { ...stripeAndClientConfig(config, secrets), identity: identity ?? openIdentity(config.providers, cleanup) };
}

function openIdentity(providers: Providers, cleanup: Cleanup): IdentityProvider {
  const identity = createFirebaseIdentity(
    providers.mode === 'live'
      ? { mode: 'live', projectId: providers.firebase.projectId }
      : { mode: 'demo', projectId: DEMO_PROJECT_ID, emulatorHost: providers.addresses.emulatorHost },
  );
  cleanup.add(() => identity.close());
  return identity;
}

function stripeAndClientConfig(
  { providers, paymentMinimumTaka: paymentMinimum }: ShopConfig,
  secrets: Secrets,
): Omit<ProviderClients, 'identity'> {
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

/** Opens the site of a shop that serves requests at `origin`. */
export async function openSite(
  config: ShopConfig,
  clientConfig: ClientConfig,
  options: { readonly secrets: Secrets; readonly origin: string; readonly print: (line: string) => void },
): Promise<ShopSite> {
  const { print, secrets } = options;
  const origin = config.publicOrigin ?? options.origin;
  const { stripeSecretKey } = secrets;
  const { adminEmails, edge } = await openDemo(config.providers, { config, origin, print, stripeSecretKey });
  return {
    adminEmails: [...config.adminEmails, ...adminEmails],
    edge,
    fallback: createSpa(WEB_DIST, clientConfig, origin),
  };
}

/** Imports the demo's code dynamically, so that a real shop never loads it. */
async function openDemo(providers: Providers, options: DemoOptions): Promise<DemoEdge> {
  if (providers.mode === 'live') return { adminEmails: [], edge: () => [] };
  const { openDemoEdge } = await import('../demo/demo-edge.ts');
  return openDemoEdge(providers, options);
}
