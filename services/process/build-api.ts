import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { adminsOnly } from '../http/admins-only.ts';
import { createApi } from '../http/app.ts';
import { createAuthenticator } from '../http/authenticate.ts';
import { createAccessTokens } from '../identity/access-token.ts';
import { createOrderNumbers } from '../shop/order/order-numbers-flow.ts';
import type { PackingClaims } from '../shop/packing/packing-claims.ts';
import type { Payments } from '../shop/payment/payments.ts';
import { createStripeWebhookRouter } from '../shop/payment/webhook-routes.ts';
import { createAccounts } from '../shop/people/accounts-flow.ts';
import { createTrackingLinks } from '../shop/tracking/tracked-order-flow.ts';
import { measureCommands } from './measurements.ts';
import { ROUTES } from './route-table.ts';
import type { ShopContext } from './shop-context.ts';
import type { ShopSite } from './shop-providers.ts';

interface ApiParts {
  readonly site: ShopSite;
  readonly payments: Payments;
  readonly packing: PackingClaims;
  readonly isDraining: () => boolean;
}

/** Builds the handler of all HTTP requests. */
export function buildApi(context: ShopContext, { site, payments, ...parts }: ApiParts): RequestListener {
  const { config, secrets, core, providers, measurements, clock, logger } = context;
  const { stripe, webhookSecret, clientConfig } = providers;
  measureCommands(measurements, core.handler);
  const livemode = clientConfig.stripe.publishableKey.startsWith('pk_live_');
  const accessTokens = createAccessTokens({ secret: secrets.accessToken, clock });
  const accounts = createAccounts(core.handler, secrets.userId);
  const adminGuard = () => {
    const trustsUnverifiedEmails = clientConfig.firebase.mode === 'demo';
    return adminsOnly(
      createAuthenticator({ ...providers, clock, logger, accounts, accessTokens }, { trustsUnverifiedEmails }),
    );
  };
  const shop = {
    ...context,
    ...core,
    ...measurements,
    ...providers,
    ...parts,
    payments,
    fallback: site.fallback,
    accounts,
    accessTokens,
    trackingLinks: createTrackingLinks(core, secrets.idempotency, clock),
    numbers: createOrderNumbers({ handler: core.handler, clock, newId: randomUUID }),
    newId: randomUUID,
    settings: { ...config, adminEmails: site.adminEmails },
    edge: [
      createStripeWebhookRouter({ stripe, webhookSecret, livemode, ...payments, logger }),
      ...site.edge(core, adminGuard),
    ],
  };
  return createApi(shop, ROUTES);
}
