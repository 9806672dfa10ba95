import type Stripe from 'stripe';
import type { DemoEdge, DemoOptions } from '../demo/demo-edge.ts';
import { createFirebaseIdentity } from '../identity/firebase-identity.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import { createSpa } from '../pages/spa.ts';
import type { Config } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import type { DemoAddresses } from '../runtime/demo-addresses.ts';
import { createStripeClient } from '../shop/payment/stripe-client-flow.ts';
import { WEB_DIST } from './builds.mjs';
import type { ShopProviders } from './shop-api.ts';

export function createIdentity(
  { firebase }: Config,
  demo: DemoAddresses | null,
): IdentityProvider & { close(): Promise<void> } {
  const { projectId } = firebase;
  if (firebase.mode === 'live') return createFirebaseIdentity({ mode: 'live', projectId });
  if (!demo) throw new Error('No identity emulator is configured for this demo shop.');
  return createFirebaseIdentity({ mode: 'demo', projectId, emulatorHost: demo.emulatorHost });
}

/**
 * Makes the Stripe simulator forget who paid. Real Stripe has no endpoint for this, so the operator has to ask Stripe
 * to redact the data.
 */
export async function forgetPayersLocally(stripe: Stripe, intents: readonly string[]): Promise<void> {
  await stripe.rawRequest('POST', '/simulator/forget', { intents: intents.join(',') });
}

export function stripeAndClientConfig(
  { stripe, firebase, demoPublic, paymentMinimumTaka }: Config,
  secrets: Secrets,
  demo: DemoAddresses | null,
): Pick<ShopProviders, 'stripe' | 'forgetPayers' | 'webhookSecret' | 'clientConfig'> {
  const live = stripe.mode === 'live';
  const client = live
    ? createStripeClient({ secretKey: stripe.secretKey })
    : createStripeClient({ secretKey: secrets.stripeSecretKey, simulatorUrl: demo?.simulatorUrl });
  return {
    stripe: client,
    forgetPayers: live ? async () => {} : (intents) => forgetPayersLocally(client, intents),
    webhookSecret: live ? stripe.webhookSecret : secrets.stripeWebhookSecret,
    clientConfig: {
      ...(demoPublic ? { demoPublic } : {}),
      paymentMinimum: paymentMinimumTaka,
      stripe: { mode: stripe.mode, publishableKey: live ? stripe.publishableKey : secrets.stripePublishableKey },
      firebase:
        firebase.mode === 'live'
          ? { mode: 'live', config: { ...firebase.webConfig } }
          : { mode: 'demo', projectId: firebase.projectId, apiKey: 'demo' },
    },
  };
}

/** Opens the providers listed in `ShopProviders`, for a shop that serves requests at `origin`. */
export async function openProviders(parts: {
  readonly config: Config;
  readonly secrets: Secrets;
  /** null if the shop uses the real providers */
  readonly demo: DemoAddresses | null;
  readonly identity: IdentityProvider;
  readonly origin: string;
  readonly print: (line: string) => void;
}): Promise<ShopProviders> {
  const { config, demo, identity, print } = parts;
  const origin = config.publicOrigin ?? parts.origin;
  const providers = stripeAndClientConfig(config, parts.secrets, demo);
  const { adminEmails, edge } = await openDemo(demo, {
    config,
    origin,
    print,
    stripeSecretKey: parts.secrets.stripeSecretKey,
  });
  return {
    ...providers,
    identity,
    adminEmails: [...config.adminEmails, ...adminEmails],
    edge,
    fallback: createSpa(WEB_DIST, providers.clientConfig, origin),
  };
}

/** Imports the demo's code dynamically, so that a real shop never loads it. */
async function openDemo(demo: DemoAddresses | null, options: DemoOptions): Promise<DemoEdge> {
  if (!demo) return { adminEmails: [], edge: () => [] };
  const { openDemoEdge } = await import('../demo/demo-edge.ts');
  return openDemoEdge(demo, options);
}
