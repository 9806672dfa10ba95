import type { RequestListener } from 'node:http';
import { createStripePayments } from '../flows/payments/stripe-payments.ts';
import { createSpa } from '../http/spa.ts';
import { WEB_DIST } from '../process/builds.mjs';
import { measureCommands } from '../process/measurements.ts';
import { createShopApi } from '../process/shop-api.ts';
import { openDemo, stripeAndClientConfig } from '../process/shop-providers.ts';
import { packingChannel } from './redis/redis.ts';
import { createRedisPackingClaims } from './redis/redis-packing-claims.ts';
import type { RoleContext } from './role-context.ts';

export async function openApiRole(
  context: RoleContext,
  { origin, isDraining }: { readonly origin: string; readonly isDraining: () => boolean },
): Promise<RequestListener> {
  const { config, servers, core, demo, clock, logger, print, cleanup, measurements } = context;
  const { secrets, handler } = core;
  const providers = stripeAndClientConfig(config, secrets, demo);
  measureCommands(measurements, handler);
  const packing = createRedisPackingClaims({
    url: servers.redisUrl,
    channel: packingChannel(servers),
    onError: (error) => logger.warn({ err: error }, 'nobody can say to be packing an order'),
  });
  cleanup.add(() => packing.close());
  const publicOrigin = config.publicOrigin ?? origin;
  const { adminEmails, edge } = await openDemo(demo, { config, origin: publicOrigin, print });
  return createShopApi({
    config,
    secrets,
    clock,
    logger,
    core,
    providers: {
      ...providers,
      identity: context.identity,
      adminEmails: [...config.adminEmails, ...adminEmails],
      edge,
      fallback: createSpa(WEB_DIST, providers.clientConfig, publicOrigin),
    },
    payments: createStripePayments({ stripe: providers.stripe, handler, clock, logger }),
    readYourWrites: context.readYourWrites,
    packing,
    rateLimit: context.rateLimit,
    measurements,
    isDraining,
  });
}
