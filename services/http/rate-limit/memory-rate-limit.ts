import { LRUCache } from 'lru-cache';
import type { Clock } from '../../runtime/clock.ts';
import type { RateLimit, RateLimitSettings } from './rate-limit.ts';

const MAX_KEYS = 50_000;

/** Keeps a token bucket per key in this process, for the most recent keys. */
export function createMemoryRateLimit({ burst, perSecond, clock }: RateLimitSettings & { clock: Clock }): RateLimit {
  const buckets = new LRUCache<string, { tokens: number; at: number }>({ max: MAX_KEYS });
  return {
    async take(key) {
      const now = clock();
      const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now };
      const filled = Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * perSecond);
      if (filled < 1) {
        buckets.set(key, { tokens: filled, at: now });
        return { allowed: false, retryAfterMs: Math.ceil(((1 - filled) / perSecond) * 1000) };
      }
      buckets.set(key, { tokens: filled - 1, at: now });
      return { allowed: true };
    },
    async close() {
      buckets.clear();
    },
  };
}
