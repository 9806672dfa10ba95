import type { Broadcast } from '../../engine/projector/broadcast.ts';
import { everyInterval } from '../../runtime/schedule.ts';
import { reportFailures } from './redis.ts';
import { BEAT_MS, connectTo, type Envelope, type RedisChannel } from './redis-channel.ts';

export interface RedisPublisherOptions extends RedisChannel {
  /**
   * Called once, to name the publisher. The name must be new each time the process starts, because the push numbers
   * start over.
   */
  readonly newId: () => string;
}

/**
 * Creates a publisher of pushes. A push that can't be sent immediately is lost, and subscribers detect the gap in the
 * push numbers (LIVE5). close() tells subscribers to stop waiting for this publisher.
 */
export function createRedisPublisher(options: RedisPublisherOptions): Pick<Broadcast, 'publish' | 'close'> {
  const { channel, beatMs = BEAT_MS, every = everyInterval } = options;
  const redis = connectTo(options);
  const report = reportFailures(redis, options.onError);
  const from = options.newId();
  let n = 0;
  let closed = false;

  const send = (envelope: Envelope) => redis.publish(channel, JSON.stringify(envelope));
  /**
   * A replica accepts PUBLISH, but the message reaches only the replica's own subscribers. A write shows whether this
   * server is still the primary.
   */
  const proveWritable = () => redis.set(`${channel}:publisher`, from, 'PX', 10 * beatMs);
  const settled = (...commands: readonly Promise<unknown>[]) => report(Promise.all(commands)).catch(() => {});

  const beat = () => void settled(proveWritable(), send({ type: 'beat', from, n }));
  redis.on('ready', beat);
  const stopBeats = every(beatMs, beat);

  return {
    publish({ push, audiences, paced }) {
      // A message sent after the goodbye message would make subscribers wait for this publisher again.
      if (closed) return;
      n += 1;
      void settled(send({ type: 'push', from, n, push, audiences: [...audiences], paced }));
    },
    async close() {
      closed = true;
      stopBeats();
      await settled(send({ type: 'goodbye', from, n }));
      redis.disconnect();
    },
  };
}
