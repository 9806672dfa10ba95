import { randomUUID } from 'node:crypto';
import type { Broadcast } from '../engine/projector/broadcast.ts';
import { followFeed, type Projecting } from '../engine/projector/follow-feed.ts';
import { createProjector, type ProjectorSettings } from '../engine/projector/project.ts';
import type { PackingClaims, PackingFeed } from '../shop/packing/packing-claims.ts';
import { liveChannel, packingChannel } from './redis/redis.ts';
import { createRedisPackingClaims } from './redis/redis-packing-claims.ts';
import { createRedisPackingFeed } from './redis/redis-packing-feed.ts';
import { createRedisPublisher } from './redis/redis-publisher.ts';
import { createRedisSubscriber } from './redis/redis-subscriber.ts';
import type { RoleContext } from './role-context.ts';

/** Consumes the event feed, and republishes the commits that got lost on their way to it. */
export async function startProjecting(
  { config: { servers }, core, feed, clock, logger, cleanup, measurements }: RoleContext,
  runPolicies: NonNullable<ProjectorSettings['runPolicies']>,
): Promise<Projecting> {
  const broadcast = createRedisPublisher({
    url: servers.redisUrl,
    channel: liveChannel(servers),
    newId: randomUUID,
    onError: (error) => logger.warn({ err: error }, 'could not send pushes to Redis; pages will refetch their data'),
  });
  cleanup.add(() => broadcast.close());
  const projector = createProjector({
    ...core,
    broadcast,
    clock,
    runPolicies,
    onStopped: (stopped) => logger.error(stopped, 'the projection of a stream has stopped; will retry'),
  });
  const projecting = await followFeed(feed.openConsumer(core.mongo.shop), projector, clock);
  cleanup.add(() => projecting.consumer.stop());
  const outboxRelay = feed.startOutboxRelay(core.mongo.shop);
  cleanup.add(() => outboxRelay.stop());
  measurements.gauge('shop_commits_republished', 'Commits republished by this process.', outboxRelay.republished);
  return projecting;
}

/** Receives the pushes of all projectors, and the packing claims of all api processes. */
export function openFeedsOfPushes({ config: { servers }, clock, logger, cleanup }: RoleContext): {
  broadcast: Pick<Broadcast, 'subscribe'>;
  packing: PackingFeed;
} {
  const broadcast = createRedisSubscriber({
    url: servers.redisUrl,
    channel: liveChannel(servers),
    clock,
    onError: (error) =>
      logger.warn({ err: error }, 'pushes from Redis may have been missed; pages will refetch their data'),
  });
  cleanup.add(() => broadcast.close());
  const packing = createRedisPackingFeed({
    url: servers.redisUrl,
    channel: packingChannel(servers),
    onError: (error) => logger.warn({ err: error }, 'packing pushes from Redis may have been missed'),
  });
  cleanup.add(() => packing.close());
  return { broadcast, packing };
}

export function openPackingClaims({ config: { servers }, logger, cleanup }: RoleContext): PackingClaims {
  const claims = createRedisPackingClaims({
    url: servers.redisUrl,
    channel: packingChannel(servers),
    onError: (error) => logger.warn({ err: error }, 'packing claims are unavailable'),
  });
  cleanup.add(() => claims.close());
  return claims;
}
