import { inspect } from 'node:util';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { freePort } from '../test-servers/kafka-container.fixture.ts';
import { type OwnRedis, startOwnRedis } from '../test-servers/own-redis.fixture.ts';
import { startRedis } from '../test-servers/start-servers.fixture.ts';
import { assertOneRedis, openRedis } from './redis.ts';

const COMMAND_TIMEOUT = 200;
const PATIENCE = { timeout: 20_000, interval: 20 };

let own: OwnRedis;
beforeAll(async () => {
  own = await startOwnRedis();
});
afterAll(() => own.remove());

const open: Redis[] = [];
afterEach(() => {
  for (const redis of open.splice(0)) redis.disconnect();
});

function connect(url: string) {
  const errors: Error[] = [];
  const redis = openRedis(url, { commandTimeoutMs: COMMAND_TIMEOUT, onError: (error) => errors.push(error) });
  open.push(redis);
  return { redis, errors };
}

const answers = (redis: Redis) => redis.ping().catch((error: Error) => error.message);
const comesBack = (redis: Redis) => expect.poll(() => answers(redis), PATIENCE).toBe('PONG');

describe('connection to Redis', () => {
  it('LIVE5 a connection opened while Redis is down rejects commands immediately, and reconnects on its own after each outage', async () => {
    await own.kill();
    const { redis, errors } = connect(own.url);
    for (const outage of [1, 2]) {
      await expect.poll(() => errors.length, PATIENCE).toBe(outage);
      await expect(redis.set('k', 'v')).rejects.toThrow('enableOfflineQueue');
      await own.start();
      await comesBack(redis);
      if (outage === 1) await own.kill();
    }
    expect(errors).toHaveLength(2);
  });

  it('LIVE5 a command to a frozen Redis rejects when it times out, and the connection is replaced', async () => {
    const { redis, errors } = connect(own.url);
    await comesBack(redis);
    const first = await redis.client('ID');
    await own.pause();
    const begun = Date.now();
    await expect(redis.ping()).rejects.toThrow('timed out');
    expect(Date.now() - begun).toBeLessThan(2 * COMMAND_TIMEOUT);
    await expect.poll(() => errors.length, PATIENCE).toBe(1);
    await own.resume();
    await comesBack(redis);
    expect(await redis.client('ID')).not.toBe(first);
  });

  it("a Redis connection error is reported without the password or the command's data", async () => {
    const { host } = new URL(inject('servers').redisUrl);
    const { errors } = connect(`redis://nobody:hunter2@${host}`);
    await expect.poll(() => errors.length, PATIENCE).toBe(1);
    expect(errors[0]?.message).toContain('WRONGPASS');
    expect(inspect(errors[0], { depth: 9, showHidden: true })).not.toContain('hunter2');
  });

  it('LIVE5 if a Redis server becomes read-only, the connection is replaced, and writes succeed once the server is a primary again', async () => {
    const { redis } = connect(own.url);
    await comesBack(redis);
    const first = await redis.client('ID');
    const { redis: hand } = connect(own.url);
    await comesBack(hand);
    await hand.replicaof('127.0.0.1', 1);
    await expect(redis.set('k', 'v')).rejects.toThrow('READONLY');
    await comesBack(redis);
    expect(await redis.client('ID')).not.toBe(first);
    await hand.replicaof('NO', 'ONE');
    await expect.poll(() => redis.set('k', 'v').catch((error: Error) => error.message), PATIENCE).toBe('OK');
  });

  it('the Redis client uses RESP2 if the URL specifies protocol=2', async () => {
    const { redis } = connect(`${own.url}?protocol=2`);
    await comesBack(redis);
    expect(await redis.client('INFO')).toContain('resp=2');
  });

  it('a Redis server in cluster mode is rejected with a one-line error, but a server that is down is accepted', async () => {
    const cluster = await startRedis(await freePort(), ['--cluster-enabled', 'yes']);
    await expect(assertOneRedis(cluster.url)).rejects.toThrow(/^REDIS_URL leads to a Redis in cluster mode: .*$/);
    await cluster.container.stop();
    await assertOneRedis(cluster.url);
    await assertOneRedis(own.url);
  });
});
