import { randomBytes, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { expect } from 'vitest';
import type { Broadcast, PushMessage } from '../../engine/projector/broadcast.ts';
import { createRedisPublisher, type RedisPublisherOptions } from './redis-publisher.ts';
import { createRedisSubscriber, type RedisSubscriberOptions } from './redis-subscriber.ts';

type Options = Partial<RedisPublisherOptions & RedisSubscriberOptions>;

export const PATIENCE = { timeout: 20_000, interval: 10 };
/**
 * Timings in ms. They are short enough that a test can see publishers fall silent, die and recover, but long enough for
 * a busy machine.
 */
export const QUICK = { beatMs: 100, silenceMs: 1_000, forgetMs: 2_500, commandTimeoutMs: 300 };

/** Simulates processes that share a fresh Redis channel, each with its own connection, and collects their errors. */
export function broadcastProcesses(url: string) {
  const channel = `test-${randomBytes(8).toString('hex')}`;
  const errors: Error[] = [];
  const open: Pick<Broadcast, 'close'>[] = [];
  const hands: Redis[] = [];

  const onError = (error: Error) => errors.push(error);
  const settings = { url, channel, clock: Date.now, newId: randomUUID, onError, ...QUICK };

  function subscriber(changes: Options = {}) {
    const created = createRedisSubscriber({ ...settings, ...changes });
    open.push(created);
    return created;
  }

  /** Opens a publisher without waiting for its first message to arrive. */
  function silentPublisher(changes: Options = {}) {
    const created = createRedisPublisher({ ...settings, ...changes });
    open.push(created);
    return created;
  }

  /** Opens a plain connection to the same Redis server. */
  function hand(): Redis {
    const redis = new Redis(url);
    redis.on('error', () => {});
    hands.push(redis);
    return redis;
  }

  /**
   * Opens a publisher and waits for its first message to arrive. The first subscribe() also opens a subscriber in the
   * same simulated process.
   */
  async function publisher(changes: Options = {}): Promise<Broadcast> {
    const from = changes.newId?.() ?? randomUUID();
    const ear = hand();
    const heard: string[] = [];
    ear.on('message', (_channel, text) => heard.push(text));
    await ear.subscribe(channel);
    const created = silentPublisher({ ...changes, newId: () => from });
    await expect.poll(() => heard.some((text) => text.includes(from)), PATIENCE).toBe(true);
    ear.disconnect();
    let ownSubscriber: ReturnType<typeof subscriber> | null = null;
    return {
      publish: created.publish,
      subscribe(listener) {
        ownSubscriber ??= subscriber(changes);
        return ownSubscriber.subscribe(listener);
      },
      async close() {
        await Promise.all([created.close(), ownSubscriber?.close()]);
      },
    };
  }

  async function dispose(): Promise<void> {
    await Promise.all(open.map((broadcast) => broadcast.close()));
    for (const redis of hands) redis.disconnect();
  }

  return { channel, errors, subscriber, silentPublisher, publisher, hand, dispose };
}

export type BroadcastProcesses = ReturnType<typeof broadcastProcesses>;

/** Returns a push that announces this version of a review to everyone. */
export function pushOf(id: string, version: number): PushMessage {
  const at = { appended: 1, projected: 2, pushed: 3 };
  return { push: { kind: 'review', id, version, view: null, at }, audiences: ['everyone'] };
}

/** Records everything that one subscriber receives. */
export async function listenTo(broadcast: Pick<Broadcast, 'subscribe'>) {
  const seen: string[] = [];
  const lives: boolean[] = [];
  await broadcast.subscribe({
    message: ({ push }) => seen.push(`${push.id} ${push.version}`),
    live: (live) => lives.push(live),
  });
  const untilTold = (expected: readonly boolean[]) => expect.poll(() => lives, PATIENCE).toEqual(expected);
  return { seen, lives, untilTold };
}
