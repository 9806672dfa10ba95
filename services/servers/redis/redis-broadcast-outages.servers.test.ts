import { connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../test-servers/kafka-container.fixture.ts';
import { type OwnRedis, startOwnRedis } from '../test-servers/own-redis.fixture.ts';
import {
  type BroadcastProcesses,
  broadcastProcesses,
  listenTo,
  PATIENCE,
  pushOf,
  QUICK,
} from './redis-broadcast.fixture.ts';

let own: OwnRedis;
beforeAll(async () => {
  own = await startOwnRedis();
});
afterAll(() => own.remove());

let processes: BroadcastProcesses;
beforeEach(() => {
  processes = broadcastProcesses(own.url);
});
afterEach(() => processes.dispose());

/**
 * Starts a proxy to Redis that can go silent on its open connections but still accepts new ones, as if a network route
 * had been lost.
 */
async function startWay(to: string) {
  const target = new URL(to);
  const pairs: (readonly [Socket, Socket])[] = [];
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    pairs.push([near, far]);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(into);
      from.on('error', () => {});
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${port}`,
    fallSilent() {
      for (const [near, far] of pairs) {
        near.unpipe();
        far.unpipe();
        near.resume();
        far.resume();
      }
    },
    close() {
      server.close();
      for (const socket of pairs.flat()) socket.destroy();
    },
  };
}

describe('Redis broadcast: outages', () => {
  it('LIVE5 a subscriber that starts while Redis is down is not live, and becomes live once Redis is up', async () => {
    await own.kill();
    const publisher = processes.silentPublisher();
    const listener = await listenTo(processes.subscriber());
    publisher.publish(pushOf('lost', 1));
    await expect.poll(() => processes.errors.length, PATIENCE).toBe(2);
    expect(listener.lives).toEqual([]);
    await own.start();
    await listener.untilTold([true]);
    publisher.publish(pushOf('found', 1));
    await expect.poll(() => listener.seen, PATIENCE).toEqual(['found 1']);
  });

  it('LIVE5 a subscriber is told when Redis goes down, and receives messages again once Redis is back', async () => {
    const publishers = [await processes.publisher(), await processes.publisher()];
    const listener = await listenTo(processes.subscriber());
    await listener.untilTold([true]);
    for (const publisher of publishers) publisher.publish(pushOf('known', 1));
    await expect.poll(() => listener.seen, PATIENCE).toEqual(['known 1', 'known 1']);
    await own.kill();
    await listener.untilTold([true, false]);
    for (const publisher of publishers) publisher.publish(pushOf('lost', 1));
    await own.start();
    await listener.untilTold([true, false, true]);
    for (const publisher of publishers) publisher.publish(pushOf('found', 1));
    await expect.poll(() => listener.seen.slice(2), PATIENCE).toEqual(['found 1', 'found 1']);
    expect(listener.lives).toEqual([true, false, true]);
  });

  it('LIVE5 a subscriber is told when Redis freezes, and receives messages again once Redis resumes', async () => {
    const publisher = await processes.publisher();
    const listener = await listenTo(processes.subscriber());
    await listener.untilTold([true]);
    await own.pause();
    await listener.untilTold([true, false]);
    for (const version of Array.from({ length: 50 }, (_, index) => index + 1)) {
      publisher.publish(pushOf('frozen', version));
    }
    const begun = Date.now();
    await processes.silentPublisher().close();
    expect(Date.now() - begun).toBeLessThan(10 * QUICK.commandTimeoutMs);
    await own.resume();
    await listener.untilTold([true, false, true]);
    publisher.publish(pushOf('thawed', 1));
    await expect.poll(() => listener.seen.at(-1), PATIENCE).toBe('thawed 1');
  });

  it('LIVE5 a subscriber is told when a publisher has lost a message because its own Redis connection broke', async () => {
    const way = await startWay(own.url);
    await processes.publisher();
    const cut = await processes.publisher({ url: way.url });
    const listener = await listenTo(processes.subscriber());
    await listener.untilTold([true]);
    way.fallSilent();
    cut.publish(pushOf('lost', 1));
    await listener.untilTold([true, false, true]);
    cut.publish(pushOf('found', 1));
    await expect.poll(() => listener.seen, PATIENCE).toEqual(['found 1']);
    way.close();
  });

  it('LIVE5 a subscription that has died silently is renewed on a new connection', async () => {
    const way = await startWay(own.url);
    const publisher = await processes.publisher();
    const listener = await listenTo(processes.subscriber({ url: way.url }));
    await listener.untilTold([true]);
    way.fallSilent();
    await listener.untilTold([true, false, true]);
    publisher.publish(pushOf('found', 1));
    await expect.poll(() => listener.seen, PATIENCE).toEqual(['found 1']);
    way.close();
  });

  it('LIVE5 a subscription that Redis refuses is reported once and retried until Redis accepts it', async () => {
    const admin = processes.hand();
    await admin.call('ACL', 'SETUSER', 'deaf', 'on', 'nopass', '+@all', 'resetchannels');
    await processes.publisher();
    const { host } = new URL(own.url);
    const listener = await listenTo(processes.subscriber({ url: `redis://deaf:any@${host}` }));
    await expect
      .poll(() => processes.errors.map(({ message }) => message), PATIENCE)
      .toEqual([expect.stringContaining('NOPERM')]);
    const log = async () => JSON.stringify(await admin.call('ACL', 'LOG')).match(/"count",(\d+)/)?.[1];
    await expect.poll(async () => Number(await log()), PATIENCE).toBeGreaterThan(2);
    expect(listener.lives).toEqual([]);
    await admin.call('ACL', 'SETUSER', 'deaf', 'allchannels');
    await listener.untilTold([true]);
    expect(processes.errors).toHaveLength(1);
  });

  it("LIVE5 if a publisher's Redis server becomes read-only, the publisher reconnects within a few heartbeats, even though the server still accepts its messages", async () => {
    await processes.publisher();
    const hand = processes.hand();
    await expect.poll(() => hand.status, PATIENCE).toBe('ready');
    const publishers = async () =>
      String(await hand.client('LIST'))
        .match(/id=\d+(?=.*cmd=(publish|set))/g)
        ?.join();
    await expect.poll(publishers, PATIENCE).toBeTruthy();
    const before = await publishers();
    await hand.replicaof('127.0.0.1', 1);
    await expect.poll(() => processes.errors.map(({ message }) => message).join(), PATIENCE).toContain('READONLY');
    await expect.poll(publishers, PATIENCE).not.toBe(before);
    await hand.replicaof('NO', 'ONE');
  });
});
