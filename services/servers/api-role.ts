import type { RequestListener } from 'node:http';
import { measureCommands } from '../process/measurements.ts';
import { createShopApi } from '../process/shop-api.ts';
import { openProviders } from '../process/shop-providers.ts';
import { createStripePayments } from '../shop/payment/stripe-payments-flow.ts';
import { packingChannel } from './redis/redis.ts';
import { createRedisPackingClaims } from './redis/redis-packing-claims.ts';
import type { RoleContext } from './role-context.ts';

export async function openApiRole(
  context: RoleContext,
  { origin, isDraining }: { readonly origin: string; readonly isDraining: () => boolean },
): Promise<RequestListener> {
  const { config, core, clock, logger, cleanup, measurements } = context;
  const { secrets, handler } = core;
  measureCommands(measurements, handler);
  const packing = createRedisPackingClaims({
    url: config.servers.redisUrl,
    channel: packingChannel(config.servers),
    onError: (error) => logger.warn({ err: error }, 'packing claims are unavailable'),
  });
  cleanup.add(() => packing.close());
  const providers = await openProviders({ ...context, secrets, origin });
  return createShopApi({
    config,
    secrets,
    clock,
    logger,
    core,
    providers,
    payments: createStripePayments({
      stripe: providers.stripe,
      handler,
      clock,
      logger,
      processingTtlMs: config.processingTtlMs,
    }),
    readYourWrites: context.readYourWrites,
    packing,
    rateLimit: context.rateLimit,
    measurements,
    isDraining,
  });
}
