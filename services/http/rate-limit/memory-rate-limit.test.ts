import { describe, expect, it } from 'vitest';
import { createMemoryRateLimit } from './memory-rate-limit.ts';
import { rateLimitContract } from './rate-limit.contract.ts';

describe('in-memory rate limit', () => {
  rateLimitContract(async (settings) => {
    let now = 1_000_000;
    return {
      rateLimit: createMemoryRateLimit({ ...settings, clock: () => now }),
      pass: async (milliseconds) => {
        now += milliseconds;
      },
    };
  });

  it('RATE1 retryAfterMs is the time left until the next request is allowed', async () => {
    let now = 1_000_000;
    const rateLimit = createMemoryRateLimit({ burst: 1, perSecond: 2, clock: () => now });
    await rateLimit.take('a');
    now += 200;
    expect(await rateLimit.take('a')).toEqual({ allowed: false, retryAfterMs: 300 });
    now += 300;
    expect(await rateLimit.take('a')).toEqual({ allowed: true });
  });
});
