import type { Broadcast } from '../../engine/projector/broadcast.ts';
import { createRedisPublisher, type RedisPublisherOptions } from './redis-publisher.ts';
import { createRedisSubscriber, type RedisSubscriberOptions } from './redis-subscriber.ts';

export interface RedisBroadcastOptions extends RedisPublisherOptions, RedisSubscriberOptions {
  /** whether this process publishes: subscribers are not live unless every publisher is heard, so no other may beat */
  readonly publishes: boolean;
}

/**
 * Broadcast between processes over a channel of Redis. Nothing waits for Redis: while it is away subscribers are not live
 * and what is published is lost, and both come back by themselves. publish() throws where the process was not to publish.
 */
export function createRedisBroadcast(options: RedisBroadcastOptions): Broadcast {
  const publisher = options.publishes ? createRedisPublisher(options) : null;
  const subscriber = createRedisSubscriber(options);
  return {
    publish(message) {
      if (!publisher) throw new Error('This process was not to publish on the broadcast.');
      publisher.publish(message);
    },
    subscribe: subscriber.subscribe,
    async close() {
      await Promise.all([publisher?.close(), subscriber.close()]);
    },
  };
}
