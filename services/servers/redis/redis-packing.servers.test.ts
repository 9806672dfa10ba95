import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { packingContract } from '../../shop/packing/packing-claims.contract.ts';
import { CLAIM_MS, PackingUnavailable } from '../../shop/packing/packing-claims.ts';
import { startOwnRedis } from '../test-servers/own-redis.fixture.ts';
import { createRedisPackingClaims } from './redis-packing-claims.ts';
import { createRedisPackingFeed } from './redis-packing-feed.ts';

const PATIENCE = { timeout: 20_000, interval: 10 };
const MINA = { id: 'a'.repeat(24), name: 'Mina' };

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

/** Simulates processes that share one Redis server, each with packing claims and a packing feed. */
function processesOn(url: string) {
  const channel = `test-${randomBytes(8).toString('hex')}`;
  const errors: Error[] = [];
  const redis = hand(url);
  return {
    channel,
    errors,
    redis,
    /** Simulates another process. Resolves once that process can list claims and has subscribed to the feed. */
    async join(commandTimeoutMs = 5_000) {
      const options = { url, channel, onError: (error: Error) => errors.push(error), commandTimeoutMs };
      const before = await redis.pubsub('NUMSUB', channel);
      const [claims, feed] = [createRedisPackingClaims(options), createRedisPackingFeed(options)];
      open.push(claims, feed);
      await expect
        .poll(
          () =>
            claims.list().then(
              () => true,
              () => false,
            ),
          PATIENCE,
        )
        .toBe(true);
      await expect.poll(async () => (await redis.pubsub('NUMSUB', channel))[1], PATIENCE).toBe(Number(before[1]) + 1);
      return { claims, feed };
    },
  };
}

packingContract('Redis', async () => {
  const { redis, channel, join } = processesOn(inject('servers').redisUrl);
  return {
    join: () => join(),
    /** Simulates the passing of time by moving the stored claims' end times back. */
    async pass(milliseconds) {
      const keys = (await redis.keys(`${channel}:*`)).filter((key) => !key.endsWith(':by'));
      for (const key of keys) {
        for (const order of await redis.zrange(key, '0', '-1')) await redis.zincrby(key, -milliseconds, order);
      }
    },
    async now() {
      const [seconds, microseconds] = await redis.time();
      return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
    },
    dispose: async () => {},
  };
});

describe('packing claims in Redis', () => {
  it('PACK1 LOG3 packing claims store only ids, which expire two minutes after the last claim', async () => {
    const { redis, channel, join } = processesOn(inject('servers').redisUrl);
    const { claims } = await join();
    await claims.claim('f'.repeat(32), MINA);
    const keys = await redis.keys(`${channel}:*`);
    expect(keys).toHaveLength(3);
    for (const key of keys) {
      expect(await redis.pttl(key)).toBeGreaterThan(0);
      expect(await redis.pttl(key)).toBeLessThanOrEqual(CLAIM_MS);
    }
    expect(await redis.hvals(`${channel}:by`)).toEqual([MINA.id]);
  });

  it('PACK1 packing claims fail quickly while Redis is down, and claims and their feed work again once Redis is back', async () => {
    const own = await startOwnRedis();
    open.push({ close: () => own.remove() });
    const { errors, join } = processesOn(own.url);
    const { claims, feed } = await join(300);
    const heard: string[] = [];
    feed.subscribe(({ order }) => heard.push(order));
    await own.pause();
    const begun = Date.now();
    await expect(claims.claim('1'.repeat(32), MINA)).rejects.toThrow(PackingUnavailable);
    expect(Date.now() - begun).toBeLessThan(3_000);
    await own.resume();
    await own.kill();
    await expect.poll(() => claims.list().catch((error: Error) => error.name), PATIENCE).toBe('PackingUnavailable');
    await expect(claims.release('1'.repeat(32), MINA.id)).rejects.toThrow(PackingUnavailable);
    await own.start();
    const claimed = async () => {
      await claims.claim('2'.repeat(32), MINA).catch(() => {});
      return heard.includes('2'.repeat(32));
    };
    await expect.poll(claimed, PATIENCE).toBe(true);
    expect((await claims.list()).map(({ order }) => order)).toEqual(['2'.repeat(32)]);
    expect(errors.map(({ message }) => message).join()).not.toContain(MINA.id);
  });
});
