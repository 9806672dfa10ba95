import { describe } from 'vitest';
import { createMemoryRateLimit } from './memory-rate-limit.ts';
import { rateLimitContract } from './rate-limit.contract.ts';

describe('memory rate limit', () => {
  rateLimitContract(async (settings) => {
    let now = 1_000_000;
    return {
      rateLimit: createMemoryRateLimit({ ...settings, clock: () => now }),
      pass: async (milliseconds) => {
        now += milliseconds;
      },
    };
  });
});
