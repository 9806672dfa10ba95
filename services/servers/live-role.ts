import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { LiveGateway } from '../live/gateway.ts';
import { measureLive } from '../process/measurements.ts';
import { openShopGateway } from '../process/shop-gateway.ts';
import { createRedisBroadcast } from './redis/redis-broadcast.ts';
import { liveChannel } from './redis/redis-names.ts';
import type { RoleGround } from './role-ground.ts';

/** Pushes what projectors announce to the browsers connected here. */
export async function openLiveRole(ground: RoleGround, server: Server): Promise<LiveGateway> {
  const { config, servers, core, identity, clock, logger, endings, measurements } = ground;
  const broadcast = createRedisBroadcast({
    url: servers.redisUrl,
    channel: liveChannel(servers),
    publishes: false,
    clock,
    newId: randomUUID,
    onError: (error) => logger.warn({ err: error }, 'a push may have been missed'),
  });
  endings.add(() => broadcast.close());
  const { accessToken: accessTokenSecret } = core.secrets;
  const gateway = await openShopGateway({
    server,
    config,
    accessTokenSecret,
    core,
    identity,
    broadcast,
    clock,
    logger,
    rateLimit: ground.rateLimit,
  });
  measureLive(measurements, gateway);
  return gateway;
}
