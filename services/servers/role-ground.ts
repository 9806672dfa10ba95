import { type DemoAddresses, demoAddressesOf } from '../demo/demo-edge.ts';
import { createMemoryRateLimit } from '../http/rate-limit/memory-rate-limit.ts';
import type { RateLimit } from '../http/rate-limit/rate-limit.ts';
import { RATE } from '../http/rate-limit/rate-limit.ts';
import { createRecentAppends, type RecentAppends } from '../http/recent-appends.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import type { Endings } from '../process/endings.ts';
import { createMeasurements, type Measurements } from '../process/measurements.ts';
import type { Surroundings } from '../process/run-process.ts';
import { createIdentity } from '../process/shop-providers.ts';
import { systemClock } from '../runtime/clock.ts';
import { type Config, ConfigError, type ServersConfig } from '../runtime/config.ts';
import { StoreUnavailable, within } from '../runtime/store-unavailable.ts';
import { assertOneRedis } from './redis/redis.ts';
import { rateKeys } from './redis/redis-names.ts';
import { createRedisRateLimit } from './redis/redis-rate-limit.ts';
import { openServersCore, type ServersCore } from './servers-core.ts';
import { openServersFeed, type ServersFeed } from './servers-feed.ts';

/** What the roles of one process share. */
export interface RoleGround extends Surroundings {
  readonly config: Config;
  readonly servers: ServersConfig;
  readonly clock: () => number;
  readonly endings: Endings;
  readonly core: ServersCore;
  readonly feed: ServersFeed;
  readonly recentAppends: RecentAppends;
  readonly identity: IdentityProvider;
  /** the demo's providers; null with real ones */
  readonly demo: DemoAddresses | null;
  readonly measurements: Measurements;
  /** null: nobody is limited */
  readonly rateLimit: RateLimit | null;
}

/** Connects to the servers and providers. What was opened is ended by `endings`. @throws ConfigError, MongoUnavailable */
export async function openRoleGround(
  config: Config,
  surroundings: Surroundings,
  endings: Endings,
): Promise<RoleGround> {
  const { servers } = config;
  if (!servers) {
    throw new ConfigError('Configuration: this role runs on servers: set MONGODB_URI, KAFKA_BROKERS and REDIS_URL.');
  }
  const { logger } = surroundings;
  await assertOneRedis(servers.redisUrl);
  const clock = systemClock;
  const recentAppends = createRecentAppends({
    polls: { getMany: (kind, ids) => core.readModels.getMany(kind, ids) },
  });
  const feed = openServersFeed({ servers, logger });
  const core = await openServersCore({
    config,
    servers,
    logger,
    timeoutMs: config.storeTimeoutMs,
    onCommit: feed.publishSoon,
    onAppended: recentAppends.appended,
  });
  endings.add(() => core.close());
  endings.add(() => feed.close());
  // Commands that still run append, and what they append goes into the feed.
  endings.add(() => core.handler.idle());
  const demo = demoAddressesOf(config);
  const identity = surroundings.identity ?? openIdentity(config, demo, endings);
  const measurements = createMeasurements();
  measurements.report(async () => {
    const late = () => new StoreUnavailable('MongoDB does not answer.');
    await within(config.storeTimeoutMs, () => core.mongo.ping(), late);
    return { ready: true, checks: { mongodb: true } };
  });
  return {
    ...surroundings,
    config,
    servers,
    clock,
    endings,
    core,
    feed,
    recentAppends,
    identity,
    demo,
    measurements,
    rateLimit: config.rateLimit ? openRateLimit(servers, surroundings, endings) : null,
  };
}

function openIdentity(config: Config, demo: DemoAddresses | null, endings: Endings): IdentityProvider {
  const identity = createIdentity(config, demo);
  endings.add(() => identity.close());
  return identity;
}

/** Counted in Redis, so that a caller has one budget, whichever copy answers. */
function openRateLimit(servers: ServersConfig, { logger }: Surroundings, endings: Endings): RateLimit {
  const rateLimit = createRedisRateLimit({
    ...RATE,
    url: servers.redisUrl,
    keyPrefix: rateKeys(servers),
    clock: systemClock,
    fallback: createMemoryRateLimit({ ...RATE, clock: systemClock }),
    onError: (error) => logger.warn({ err: error }, 'rates are counted by this process alone'),
  });
  endings.add(() => rateLimit.close());
  return rateLimit;
}
