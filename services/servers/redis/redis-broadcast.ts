import type { Broadcast } from '../../engine/projector/broadcast.ts';
import { createRedisPublisher, type RedisPublisherOptions } from './redis-publisher.ts';
import { createRedisSubscriber, type RedisSubscriberOptions } from './redis-subscriber.ts';

export interface RedisBroadcastOptions extends RedisPublisherOptions, RedisSubscriberOptions {
  /** only publishers send heartbeats: subscribers are live only while every publisher is heard */
  readonly publishes: boolean;
}

/** While Redis is down subscribers are not live and publishes are lost; both recover. publish() throws unless `publishes`. */
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
