import type { Broadcast, BroadcastListener } from '../../engine/projector/broadcast.ts';
import type { Clock } from '../../runtime/clock.ts';
import { everyInterval } from '../../runtime/schedule.ts';
import { createPublisherWatch } from './publisher-watch.ts';
import { BEAT_MS, type Envelope, type RedisChannel, readEnvelope } from './redis-channel.ts';
import { keepSubscribed } from './redis-subscription.ts';

export interface RedisSubscriberOptions extends RedisChannel {
  readonly clock: Clock;
  /** the longest silence of a publisher that is taken for health, in ms */
  readonly silenceMs?: number;
  /** the silence after which a publisher is taken for dead and no longer waited for, in ms */
  readonly forgetMs?: number;
}

const SILENCE_MS = 3_000;
/** By then Kafka has given what the dead one worked on to another publisher. */
const FORGET_MS = 10_000;

/** Hands messages to its listeners, and says when some may have been missed (LIVE5). Connects at the first listener. */
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
  let end: (() => void) | null = null;

  /** What cannot be read is passed over: where it was a message, its number is missed. */
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
    const { push, audiences } = envelope;
    for (const listener of listeners) listener.message({ push, audiences });
  }

  function connect(): () => void {
    const subscribed = () => watch.subscribed(clock());
    const subscription = keepSubscribed(options, { subscribed, lost: watch.disconnected, message });
    const stopChecks = every(beatMs / 2, () => {
      watch.tick(clock());
      subscription.check();
    });
    return () => {
      stopChecks();
      subscription.end();
    };
  }

  return {
    async subscribe(listener) {
      listeners.add(listener);
      end ??= connect();
      if (watch.live()) listener.live(true);
      return () => {
        listeners.delete(listener);
      };
    },
    async close() {
      listeners.clear();
      end?.();
    },
  };
}
