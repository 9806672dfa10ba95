import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Admission, RateLimit, RateLimitSettings } from '../../http/rate-limit/rate-limit.ts';
import type { Clock } from '../../runtime/clock.ts';
import { openRedis, tellCommandFailures } from './redis.ts';

export interface RedisRateLimitOptions extends RateLimitSettings {
  readonly url: string;
  readonly keyPrefix?: string;
  /** counts while Redis cannot, each process by itself; closed with this one */
  readonly fallback: RateLimit;
  readonly clock: Clock;
  /** told when Redis cannot count, without the keys */
  readonly onError: (error: Error) => void;
  /** the longest wait of a request for Redis, in ms */
  readonly commandTimeoutMs?: number;
  /** how long Redis is not asked after it did not reply, in ms */
  readonly quietMs?: number;
}

/**
 * A token bucket in one key, by Redis's own clock: the time at which the bucket is full again, in whole microseconds. ARGV:
 * the burst; microseconds per token. Returns 0, or the milliseconds to wait. The key expires when the bucket is full.
 */
const TAKE_TOKEN = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + interval
local wait = full - now - ARGV[1] * interval
if wait > 0 then
  return math.ceil(wait / 1000)
end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
return 0
`;

interface TokenCommands {
  takeToken(key: string, burst: number, interval: number): Promise<unknown>;
}

const waitSchema = z.number().int().nonnegative();

/** Counts the requests of all processes together. Where Redis is down, one request in each `quietMs` waits for it, briefly. */
export function createRedisRateLimit(options: RedisRateLimitOptions): RateLimit {
  const { burst, perSecond, fallback, clock, keyPrefix = 'micro-center:rate:', quietMs = 1_000 } = options;
  const { url, onError, commandTimeoutMs = 250 } = options;
  const redis = withTokens(openRedis(url, { commandTimeoutMs, onError }));
  const failures = tellCommandFailures(redis, onError);
  const interval = Math.round(1_000_000 / perSecond);
  let quietUntil: number | null = null;

  async function count(key: string): Promise<Admission> {
    const wait = waitSchema.parse(await redis.takeToken(keyPrefix + key, burst, interval));
    return wait === 0 ? { allowed: true } : { allowed: false, retryAfterMs: wait };
  }

  return {
    async take(key) {
      const now = clock();
      if (quietUntil !== null) {
        if (now < quietUntil) return fallback.take(key);
        // This request asks whether Redis is back; the others do not wait.
        quietUntil = now + quietMs;
      }
      try {
        const admission = await count(key);
        quietUntil = null;
        failures.succeeded();
        return admission;
      } catch (error) {
        quietUntil = clock() + quietMs;
        failures.failed(error);
        return fallback.take(key);
      }
    },
    async close() {
      redis.disconnect();
      await fallback.close();
    },
  };
}

function withTokens(redis: Redis): Redis & TokenCommands {
  redis.defineCommand('takeToken', { numberOfKeys: 1, lua: TAKE_TOKEN });
  return redis as Redis & TokenCommands;
}
