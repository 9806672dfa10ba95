import type { Express } from 'express';
import { announceDemoPublic } from '../demo/announce-demo.ts';
import { demoAdmins, demoRouters } from '../demo/demo-edge.ts';
import { createStripePayments } from '../flows/payments/stripe-payments.ts';
import { createSpa } from '../http/spa.ts';
import { WEB_DIST } from '../process/builds.mjs';
import { measureCommands } from '../process/measurements.ts';
import { createShopApi } from '../process/shop-api.ts';
import { stripeAndClientConfig } from '../process/shop-providers.ts';
import type { RoleContext } from './role-context.ts';

/** Commands, queries and Stripe's webhook over HTTP. */
export function openApiRole(
  context: RoleContext,
  { origin, isDraining }: { readonly origin: string; readonly isDraining: () => boolean },
): Express {
  const { config, core, demo, clock, logger, print, measurements } = context;
  const { secrets, handler } = core;
  const providers = stripeAndClientConfig(config, secrets, demo);
  measureCommands(measurements, handler);
  announceDemoPublic(config, origin, print);
  return createShopApi({
    config,
    secrets,
    clock,
    logger,
    core,
    providers: {
      ...providers,
      identity: context.identity,
      adminEmails: [...config.adminEmails, ...(demo ? demoAdmins() : [])],
      edge: demo ? demoRouters(demo, { config, origin: config.publicOrigin ?? origin, print }) : [],
      fallback: createSpa(WEB_DIST, providers.clientConfig, config.publicOrigin ?? origin),
    },
    payments: createStripePayments({ stripe: providers.stripe, handler, clock, logger }),
    recentAppends: context.recentAppends,
    rateLimit: context.rateLimit,
    measurements,
    isDraining,
  });
}
