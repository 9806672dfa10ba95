import { createMemoryRateLimit } from '../http/rate-limit/memory-rate-limit.ts';
import type { RateLimit } from '../http/rate-limit/rate-limit.ts';
import { RATE } from '../http/rate-limit/rate-limit.ts';
import { createReadYourWrites } from '../http/read-your-writes.ts';
import type { Cleanup } from '../process/cleanup.ts';
import { createMeasurements } from '../process/measurements.ts';
import type { StartOptions } from '../process/run-process.ts';
import type { ShopContext } from '../process/shop-context.ts';
import { openClients } from '../process/shop-providers.ts';
import { systemClock } from '../runtime/clock.ts';
import type { ServersConfig } from '../runtime/config.ts';
import { StoreUnavailable, within } from '../runtime/store-unavailable.ts';
import { assertOneRedis, rateKeys } from './redis/redis.ts';
import { createRedisRateLimit } from './redis/redis-rate-limit.ts';
import { openServersCore, type ServersCore } from './servers-core.ts';
import { openServersFeed, type ServersFeed } from './servers-feed.ts';

export interface RoleContext extends ShopContext {
  readonly config: ServersConfig;
  readonly core: ServersCore;
  readonly feed: ServersFeed;
}

/**
 * Opens the connections and services that all roles share. `cleanup` closes everything that this function opens.
 * @throws NotOneRedis, KafkaSecurityError, MongoUnavailable, LostLogError, KeptSecretsError
 */
export async function openRoleContext(
  config: ServersConfig,
  options: StartOptions,
  cleanup: Cleanup,
): Promise<RoleContext> {
  const { logger } = options;
  await assertOneRedis(config.servers.redisUrl);
  const readYourWrites = createReadYourWrites({
    polls: { getMany: (kind, ids) => core.readModels.getMany(kind, ids) },
  });
  const feed = openServersFeed({ servers: config.servers, logger });
  const core = await openServersCore({
    config,
    logger,
    timeoutMs: config.storeTimeoutMs,
    onCommit: feed.publishSoon,
    onAppended: readYourWrites.appended,
  });
  cleanup.add(() => core.close());
  cleanup.add(() => feed.close());
  // Cleanup steps run in reverse order. Commands in progress, which may still append and publish, therefore finish
  // before the feed and the core are closed.
  cleanup.add(() => core.handler.idle());
  const measurements = createMeasurements();
  measurements.report(async () => {
    const late = () => new StoreUnavailable('MongoDB does not respond.');
    await within(config.storeTimeoutMs, () => core.mongo.ping(), late);
    return { ready: true, checks: { mongodb: true } };
  });
  return {
    config,
    secrets: core.secrets,
    core,
    feed,
    providers: openClients(config, core.secrets, { ...options, cleanup }),
    readYourWrites,
    rateLimit: config.rateLimit ? openRateLimit(config, options, cleanup) : null,
    measurements,
    clock: systemClock,
    logger,
    cleanup,
  };
}

/** Counts requests in Redis, so that each caller has a single budget across all processes. */
function openRateLimit({ servers }: ServersConfig, { logger }: StartOptions, cleanup: Cleanup): RateLimit {
  const rateLimit = createRedisRateLimit({
    ...RATE,
    url: servers.redisUrl,
    keyPrefix: rateKeys(servers),
    clock: systemClock,
    fallback: createMemoryRateLimit({ ...RATE, clock: systemClock }),
    onError: (error) => logger.warn({ err: error }, 'requests are rate-limited per process while Redis is unavailable'),
  });
  cleanup.add(() => rateLimit.close());
  return rateLimit;
}
