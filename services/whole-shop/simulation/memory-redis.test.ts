import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { broadcastContract } from '../../engine/projector/broadcast.contract.ts';
import type { Broadcast } from '../../engine/projector/broadcast.ts';
import { scheduleTimer } from '../../runtime/schedule.ts';
import type { PubSubClient } from '../../servers/redis/redis-channel.ts';
import { createRedisPublisher } from '../../servers/redis/redis-publisher.ts';
import { createRedisSubscriber } from '../../servers/redis/redis-subscriber.ts';
import { createDice } from './dice.ts';
import { createMemoryRedis } from './memory-redis.ts';
import { NO_FAULTS } from './network.ts';

broadcastContract('Redis in memory', async () => {
  const redis = createMemoryRedis();
  const process = { schedule: scheduleTimer, run: (callback: () => void) => callback(), isAlive: () => true };
  const time = { now: Date.now, schedule: scheduleTimer } as never;
  const faults = { ...NO_FAULTS, delay: 0 };
  const link = { time, dice: createDice(1), faults, isCut: () => false, onFault: () => {} };
  const clients: PubSubClient[] = [];
  const settings = {
    url: '',
    channel: 'live',
    clock: Date.now,
    newId: randomUUID,
    onError: () => {},
    connect() {
      const client = redis.connect(process, link);
      clients.push(client);
      return client;
    },
  };
  const joined: Broadcast[] = [];
  return {
    async join() {
      const [publisher, subscriber] = [createRedisPublisher(settings), createRedisSubscriber(settings)];
      const broadcast = {
        publish: publisher.publish,
        subscribe: subscriber.subscribe,
        close: async () => void (await Promise.all([publisher.close(), subscriber.close()])),
      };
      joined.push(broadcast);
      await expect.poll(() => clients.map(({ status }) => status)).not.toContain('connecting');
      return broadcast;
    },
    dispose: async () => void (await Promise.all(joined.map((one) => one.close()))),
  };
});
