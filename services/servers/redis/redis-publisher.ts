import type { Broadcast } from '../../engine/projector/broadcast.ts';
import { everyInterval } from '../../runtime/schedule.ts';
import { openRedis, tellCommandFailures } from './redis.ts';
import { BEAT_MS, DEFAULT_CHANNEL, type Envelope, type RedisChannel } from './redis-channel.ts';

export interface RedisPublisherOptions extends RedisChannel {
  /** a new name at each start, since the numbers begin anew */
  readonly newId: () => string;
}

/** What cannot be sent at once is lost, and the numbers show it (LIVE5). After close() nobody waits for this publisher. */
export function createRedisPublisher(options: RedisPublisherOptions): Pick<Broadcast, 'publish' | 'close'> {
  const { channel = DEFAULT_CHANNEL, beatMs = BEAT_MS, every = everyInterval } = options;
  const redis = openRedis(options.url, options);
  const failures = tellCommandFailures(redis, options.onError);
  const from = options.newId();
  let n = 0;
  let closed = false;

  async function send(envelope: Envelope): Promise<void> {
    try {
      await redis.publish(channel, JSON.stringify(envelope));
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  }

  /** A replica accepts PUBLISH but reaches only its own subscribers: a write shows whether this is still the primary. */
  async function proveWritable(): Promise<void> {
    try {
      await redis.set(`${channel}:publisher`, from, 'PX', 10 * beatMs);
    } catch (error) {
      failures.failed(error);
    }
  }

  const beat = () => {
    void proveWritable();
    void send({ type: 'beat', from, n });
  };
  redis.on('ready', beat);
  const stopBeats = every(beatMs, beat);

  return {
    publish({ push, audiences, paced }) {
      // A message after the goodbye would make others wait for this publisher.
      if (closed) return;
      n += 1;
      void send({ type: 'push', from, n, push, audiences: [...audiences], paced });
    },
    async close() {
      closed = true;
      stopBeats();
      await send({ type: 'goodbye', from, n });
      redis.disconnect();
    },
  };
}
