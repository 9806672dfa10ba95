import { everyInterval } from '../../runtime/schedule.ts';
import { reportFailures } from './redis.ts';
import { BEAT_MS, connectTo, type RedisChannel } from './redis-channel.ts';

export interface SubscriptionListener {
  message(text: string): void;
  subscribed?(): void;
  lost?(): void;
}

/**
 * Subscribes immediately, and again whenever the connection is lost or the subscription is refused. A channel may be
 * silent indefinitely, so a ping is sent at every heartbeat interval. A connection that doesn't reply to pings is
 * replaced. Returns a function that ends the subscription.
 */
export function keepSubscribed(options: RedisChannel, listener: SubscriptionListener): () => void {
  const { channel, onError, beatMs = BEAT_MS, every = everyInterval } = options;
  const redis = connectTo(options);
  const report = reportFailures(redis, onError);
  let state: 'none' | 'asked' | 'held' = 'none';
  let connection = 0;

  async function ask(): Promise<void> {
    const asked = connection;
    state = 'asked';
    // A reply from a lost connection doesn't apply to the current connection.
    const isStale = () => asked !== connection;
    const reply = redis.subscribe(channel).catch((error: unknown) => {
      if (!isStale()) throw error;
    });
    try {
      await report(reply);
      if (isStale()) return;
      state = 'held';
      listener.subscribed?.();
    } catch {
      state = 'none';
    }
  }

  redis.on('ready', () => void ask());
  redis.on('close', () => {
    connection += 1;
    state = 'none';
    listener.lost?.();
  });
  redis.on('message', (_channel, text) => listener.message(text));
  const stopChecks = every(beatMs, () => {
    if (redis.status !== 'ready') return;
    if (state === 'none') void ask();
    if (state === 'held') redis.ping().catch(() => {});
  });

  return () => {
    stopChecks();
    redis.disconnect();
  };
}
