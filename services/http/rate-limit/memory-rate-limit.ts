import type { Clock } from '../../runtime/clock.ts';
import { createLruCache } from '../../runtime/lru-cache.ts';
import type { RateLimit, RateLimitSettings } from './rate-limit.ts';

const MAX_KEYS = 50_000;

/**
 * Creates an in-memory rate limiter with one token bucket per key. Only the most recently used keys are kept. Each
 * bucket is stored as the time at which it will be full again (GCRA).
 */
export function createMemoryRateLimit({ burst, perSecond, clock }: RateLimitSettings & { clock: Clock }): RateLimit {
  const fullAt = createLruCache<string, number>(MAX_KEYS);
  const perToken = 1000 / perSecond;
  return {
    async take(key) {
      const now = clock();
      const next = Math.max(now, fullAt.get(key) ?? now) + perToken;
      const retryAfterMs = Math.ceil(next - now - burst * perToken);
      if (retryAfterMs > 0) return { allowed: false, retryAfterMs };
      fullAt.set(key, next);
      return { allowed: true };
    },
    async close() {
      fullAt.clear();
    },
  };
}
