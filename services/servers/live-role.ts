import type { Server } from 'node:http';
import type { LiveGateway } from '../live/gateway.ts';
import { measureLive } from '../process/measurements.ts';
import { openShopGateway } from '../process/shop-gateway.ts';
import { liveChannel, packingChannel } from './redis/redis.ts';
import { createRedisPackingFeed } from './redis/redis-packing-feed.ts';
import { createRedisSubscriber } from './redis/redis-subscriber.ts';
import type { RoleContext } from './role-context.ts';

export async function openLiveRole(context: RoleContext, server: Server): Promise<LiveGateway> {
  const { config, core, identity, clock, logger, cleanup, measurements } = context;
  const broadcast = createRedisSubscriber({
    url: config.servers.redisUrl,
    channel: liveChannel(config.servers),
    clock,
    onError: (error) =>
      logger.warn({ err: error }, 'pushes from Redis may have been missed; pages will refetch their data'),
  });
  cleanup.add(() => broadcast.close());
  const packing = createRedisPackingFeed({
    url: config.servers.redisUrl,
    channel: packingChannel(config.servers),
    onError: (error) => logger.warn({ err: error }, 'packing pushes from Redis may have been missed'),
  });
  cleanup.add(() => packing.close());
  const gateway = await openShopGateway({
    server,
    config,
    secrets: core.secrets,
    core,
    identity,
    broadcast,
    packing,
    clock,
    logger,
    rateLimit: context.rateLimit,
  });
  measureLive(measurements, gateway);
  return gateway;
}
