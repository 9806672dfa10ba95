import { z } from 'zod';
import type { Admission, RateLimit, RateLimitSettings } from '../../http/rate-limit/rate-limit.ts';
import type { Clock } from '../../runtime/clock.ts';
import { openRedis, reportFailures, scriptOn } from './redis.ts';

export interface RedisRateLimitOptions extends RateLimitSettings {
  readonly url: string;
  readonly keyPrefix: string;
  /**
   * The rate limit to use while Redis is unavailable. It counts only this process's requests. Closing the Redis rate
   * limit closes it too.
   */
  readonly fallback: RateLimit;
  readonly clock: Clock;
  /** Called when Redis can't count requests. The error doesn't contain the keys. */
  readonly onError: (error: Error) => void;
  /** the longest that a request may wait for Redis, in ms */
  readonly commandTimeoutMs?: number;
  /** how long to wait after a failure before sending Redis another command, in ms */
  readonly quietMs?: number;
}

/**
 * A token bucket stored in one key and timed by Redis's own clock. The value is the time at which the bucket will be
 * full again, in whole microseconds, and the key expires at that time. ARGV: the burst size, and the microseconds per
 * token. Returns 0 if a token was taken, or else the milliseconds to wait.
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

const waitSchema = z.number().int().nonnegative();

/**
 * Limits the request rate across all processes. While Redis is down, at most one request per `quietMs` tries to reach
 * it, and that request waits only briefly.
 */
export function createRedisRateLimit(options: RedisRateLimitOptions): RateLimit {
  const { burst, perSecond, fallback, clock, keyPrefix, quietMs = 1_000 } = options;
  const { url, onError, commandTimeoutMs = 250 } = options;
  const redis = openRedis(url, { commandTimeoutMs, onError });
  const report = reportFailures(redis, onError);
  const takeToken = scriptOn(redis, 'takeToken', { numberOfKeys: 1, lua: TAKE_TOKEN });
  const interval = Math.round(1_000_000 / perSecond);
  let quietUntil: number | null = null;

  async function count(key: string): Promise<Admission> {
    const wait = waitSchema.parse(await takeToken(keyPrefix + key, burst, interval));
    return wait === 0 ? { allowed: true } : { allowed: false, retryAfterMs: wait };
  }

  return {
    async take(key) {
      const now = clock();
      if (quietUntil !== null) {
        if (now < quietUntil) return fallback.take(key);
        // This request checks whether Redis is back. Until the check succeeds, other requests use the fallback.
        quietUntil = now + quietMs;
      }
      try {
        const admission = await report(count(key));
        quietUntil = null;
        return admission;
      } catch {
        quietUntil = clock() + quietMs;
        return fallback.take(key);
      }
    },
    async close() {
      redis.disconnect();
      await fallback.close();
    },
  };
}
