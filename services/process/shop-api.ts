import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import type Stripe from 'stripe';
import type { ClientConfig } from '../contracts/answers.ts';
import type { ShopCore } from '../engine/shop-core.ts';
import { adminsOnly } from '../http/admins-only.ts';
import { createApi } from '../http/app.ts';
import { createAuthenticator } from '../http/authenticate.ts';
import type { Fallback } from '../http/dependencies.ts';
import type { RateLimit } from '../http/rate-limit/rate-limit.ts';
import type { ReadYourWrites } from '../http/read-your-writes.ts';
import { createAccessTokens } from '../identity/access-token.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import type { Logger } from '../runtime/log.ts';
import { createOrderNumbers } from '../shop/order/order-numbers-flow.ts';
import type { PackingClaims } from '../shop/packing/packing-claims.ts';
import type { Payments } from '../shop/payment/payments.ts';
import { createStripeWebhookRouter } from '../shop/payment/webhook-routes.ts';
import { createAccounts } from '../shop/people/accounts-flow.ts';
import { createTrackingLinks } from '../shop/tracking/tracked-order-flow.ts';
import type { Measurements } from './measurements.ts';
import { ROUTES } from './route-table.ts';

export interface ShopProviders {
  readonly identity: IdentityProvider;
  readonly stripe: Stripe;
  /** asks the payment provider to forget who paid these payment intents, or does nothing if the provider doesn't support that */
  readonly forgetPayers: (intents: readonly string[]) => Promise<void>;
  readonly webhookSecret: string;
  readonly clientConfig: ClientConfig;
  readonly adminEmails: readonly string[];
  /**
   * additional routers that, like Stripe's webhook, parse request bodies themselves; `adminGuard` creates a handler that
   * lets only admins' requests pass
   */
  readonly edge: (core: ShopCore, adminGuard: () => RequestHandler) => readonly RequestHandler[];
  readonly fallback?: Fallback;
}

interface ShopApiParts {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly core: ShopCore;
  readonly providers: ShopProviders;
  readonly payments: Payments;
  readonly readYourWrites: ReadYourWrites;
  readonly packing: PackingClaims;
  /** null disables rate limiting */
  readonly rateLimit: RateLimit | null;
  readonly measurements: Measurements;
  readonly isDraining: () => boolean;
}

export function createShopApi(parts: ShopApiParts): RequestListener {
  const { config, secrets, clock, core, providers, payments, measurements, logger } = parts;
  const { stripe, webhookSecret, clientConfig, adminEmails } = providers;
  const livemode = clientConfig.stripe.publishableKey.startsWith('pk_live_');
  const accessTokens = createAccessTokens({ secret: secrets.accessToken, clock });
  const accounts = createAccounts(core.handler, secrets.userId);
  const adminGuard = () => {
    const trustsUnverifiedEmails = clientConfig.firebase.mode === 'demo';
    return adminsOnly(
      createAuthenticator({ ...providers, ...parts, accounts, accessTokens }, { trustsUnverifiedEmails }),
    );
  };
  const shop = {
    ...core,
    ...measurements,
    ...providers,
    ...parts,
    accounts,
    accessTokens,
    trackingLinks: createTrackingLinks(core, secrets.idempotency, clock),
    numbers: createOrderNumbers({ handler: core.handler, clock, newId: randomUUID }),
    newId: randomUUID,
    settings: { ...config, adminEmails },
    edge: [
      createStripeWebhookRouter({ stripe, webhookSecret, livemode, ...payments, logger }),
      ...providers.edge(core, adminGuard),
    ],
  };
  return createApi(shop, ROUTES);
}
