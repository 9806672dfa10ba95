import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { createMemoryRateLimit } from '../../http/rate-limit/memory-rate-limit.ts';
import { rateLimitContract } from '../../http/rate-limit/rate-limit.contract.ts';
import type { RateLimit } from '../../http/rate-limit/rate-limit.ts';
import { type OwnRedis, startOwnRedis } from '../test-servers/own-redis.fixture.ts';
import { createRedisRateLimit, type RedisRateLimitOptions } from './redis-rate-limit.ts';

const PATIENCE = { timeout: 20_000, interval: 10 };
const COMMAND_TIMEOUT = 300;
const QUIET = 1_000;
/** Admits one burst of requests, and then none for the rest of the test. */
const BURST_ALONE = { burst: 5, perSecond: 0.001 };

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function hand(url: string): Redis {
  const redis = new Redis(url);
  redis.on('error', () => {});
  open.push({ close: () => redis.disconnect() });
  return redis;
}

const never: RateLimit = {
  take: async () => {
    throw new Error('This process counted on its own.');
  },
  close: async () => {},
};

/** One process's rate limiter, with a clock that the test advances. */
function processOf(url: string, keyPrefix: string, changes: Partial<RedisRateLimitOptions> = {}) {
  const time = { now: 0 };
  const errors: Error[] = [];
  const rateLimit = createRedisRateLimit({
    ...BURST_ALONE,
    url,
    keyPrefix,
    fallback: never,
    clock: () => time.now,
    onError: (error) => errors.push(error),
    commandTimeoutMs: 5_000,
    quietMs: QUIET,
    ...changes,
  });
  open.push(rateLimit);
  /**
   * Retries until a request is counted in Redis. A process's first requests may come before its Redis connection is
   * ready.
   */
  const untilCounted = async (key: string) => {
    const redis = hand(url);
    await expect
      .poll(async () => {
        time.now += QUIET;
        await rateLimit.take(key).catch(() => {});
        return redis.exists(keyPrefix + key);
      }, PATIENCE)
      .toBe(1);
  };
  return { rateLimit, time, errors, untilCounted };
}

const freshPrefix = () => `test-${randomBytes(8).toString('hex')}:`;

async function takeAll(rateLimits: readonly RateLimit[], key: string, requests: number): Promise<number> {
  const taken = await Promise.all(
    Array.from({ length: requests }, (_, index) => rateLimits[index % rateLimits.length]?.take(key)),
  );
  return taken.filter((admission) => admission?.allowed).length;
}

describe('Redis rate limit', () => {
  rateLimitContract(async (settings) => {
    const { redisUrl } = inject('servers');
    const { rateLimit, untilCounted } = processOf(redisUrl, freshPrefix(), settings);
    await untilCounted('warm');
    const clock = hand(redisUrl);
    const redisTime = async () => {
      const [seconds, microseconds] = await clock.time();
      return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
    };
    return {
      rateLimit,
      async pass(milliseconds) {
        const end = (await redisTime()) + milliseconds;
        await expect.poll(redisTime, PATIENCE).toBeGreaterThanOrEqual(end);
      },
    };
  });

  it('X5 all processes share one rate limit in Redis, however many requests arrive at once', async () => {
    const prefix = freshPrefix();
    const processes = [1, 2, 3].map(() => processOf(inject('servers').redisUrl, prefix));
    for (const { untilCounted } of processes) await untilCounted('warm');
    const rateLimits = processes.map(({ rateLimit }) => rateLimit);
    expect(await takeAll(rateLimits, 'a', 60)).toBe(BURST_ALONE.burst);
  });

  it('a rate-limit key expires in Redis as soon as its bucket is full', async () => {
    const prefix = freshPrefix();
    const redis = hand(inject('servers').redisUrl);
    const { rateLimit, untilCounted } = processOf(inject('servers').redisUrl, prefix, { burst: 50, perSecond: 100 });
    await untilCounted('warm');
    expect(await takeAll([rateLimit], 'a', 40)).toBe(40);
    expect(await redis.pttl(`${prefix}a`)).toBeLessThanOrEqual(400);
    await expect.poll(() => redis.keys(`${prefix}*`), PATIENCE).toEqual([]);
  });
});

describe('Redis rate limit while Redis is unavailable', () => {
  let own: OwnRedis;
  beforeAll(async () => {
    own = await startOwnRedis();
  });
  afterAll(() => own.remove());

  function processWithMemory() {
    const memory = createMemoryRateLimit({ ...BURST_ALONE, clock: () => 0 });
    return processOf(own.url, freshPrefix(), { fallback: memory, commandTimeoutMs: COMMAND_TIMEOUT });
  }

  it('a process counts requests in its own memory while Redis is down, even at startup, and counts them in Redis again once Redis is back', async () => {
    await own.kill();
    const { rateLimit, time, errors } = processWithMemory();
    expect(await takeAll([rateLimit], 'a', 8)).toBe(5);
    await own.start();
    // The process's own bucket is empty, so any request admitted from now on must have been counted in Redis.
    const back = () =>
      expect
        .poll(async () => {
          time.now += QUIET;
          return (await rateLimit.take('a')).allowed;
        }, PATIENCE)
        .toBe(true);
    await back();
    await own.kill();
    await expect.poll(async () => (await rateLimit.take('a')).allowed, PATIENCE).toBe(false);
    await own.start();
    await back();
    expect(errors).toHaveLength(2);
  });

  it('while Redis is frozen, at most one request per quietMs waits for a reply, and only until the command times out', async () => {
    const { rateLimit, time, errors, untilCounted } = processWithMemory();
    await untilCounted('a');
    await own.pause();
    const waited = async (requests: number) => {
      const begun = Date.now();
      const waits = await Promise.all(
        Array.from({ length: requests }, () => rateLimit.take('b').then(() => Date.now() - begun)),
      );
      return waits.map((wait) => wait >= COMMAND_TIMEOUT - 5);
    };
    expect(await waited(1)).toEqual([true]);
    expect(await waited(5)).toEqual([false, false, false, false, false]);
    time.now += QUIET - 1;
    expect(await waited(1)).toEqual([false]);
    time.now += 1;
    expect((await waited(20)).filter(Boolean).length).toBeLessThanOrEqual(1);
    expect((await rateLimit.take('b')).allowed).toBe(false);
    expect(errors.map(({ message }) => message)[0]).toBe('Command timed out');
    await own.resume();
    await untilCounted('c');
  });
});
