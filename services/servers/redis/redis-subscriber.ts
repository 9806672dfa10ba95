import type { Broadcast, BroadcastListener } from '../../engine/projector/broadcast.ts';
import type { Clock } from '../../runtime/clock.ts';
import { everyInterval } from '../../runtime/schedule.ts';
import { createPublisherWatch, type PublisherWatchSettings } from './publisher-watch.ts';
import { BEAT_MS, type Envelope, type RedisChannel, readEnvelope } from './redis-channel.ts';
import { keepSubscribed } from './redis-subscription.ts';

export interface RedisSubscriberOptions
  extends RedisChannel,
    Partial<Pick<PublisherWatchSettings, 'silenceMs' | 'forgetMs'>> {
  readonly clock: Clock;
}

const SILENCE_MS = 3_000;
/**
 * How long a publisher may be silent before it counts as dead. By then, Kafka has had time to assign the publisher's
 * work to another process.
 */
const FORGET_MS = 10_000;

/**
 * Creates a subscriber that passes pushes to its listeners, and tells them when pushes may have been missed (LIVE5). It
 * connects immediately.
 */
export function createRedisSubscriber(options: RedisSubscriberOptions): Pick<Broadcast, 'subscribe' | 'close'> {
  const { clock, beatMs = BEAT_MS, silenceMs = SILENCE_MS, forgetMs = FORGET_MS, every = everyInterval } = options;
  const listeners = new Set<BroadcastListener>();
  const watch = createPublisherWatch({
    silenceMs,
    forgetMs,
    onLive(live) {
      for (const listener of listeners) listener.live(live);
    },
  });

  /**
   * Handles a message, or reports and skips it if it can't be parsed. If the skipped message was a push, the gap in the
   * push numbers shows that a push was missed.
   */
  function message(text: string): void {
    let envelope: Envelope;
    try {
      envelope = readEnvelope(text);
    } catch (error) {
      options.onError(error as Error);
      return;
    }
    watch.heard(envelope, clock());
    if (envelope.type !== 'push') return;
    const { push, audiences, paced } = envelope;
    for (const listener of listeners) listener.message({ push, audiences, paced });
  }

  const subscribed = () => watch.subscribed(clock());
  const endSubscription = keepSubscribed(options, { subscribed, lost: watch.disconnected, message });
  const stopTicks = every(beatMs / 2, () => watch.tick(clock()));

  return {
    async subscribe(listener) {
      listeners.add(listener);
      if (watch.live()) listener.live(true);
      return () => {
        listeners.delete(listener);
      };
    },
    async close() {
      listeners.clear();
      stopTicks();
      endSubscription();
    },
  };
}
