import { openRedis, tellCommandFailures } from './redis.ts';
import { DEFAULT_CHANNEL, type RedisChannel } from './redis-channel.ts';

export interface SubscriptionListener {
  subscribed(): void;
  lost(): void;
  message(text: string): void;
}

export interface RedisSubscription {
  /** To be called regularly: retries a refused subscription, checks the connection of an active one. */
  check(): void;
  end(): void;
}

export function keepSubscribed(options: RedisChannel, listener: SubscriptionListener): RedisSubscription {
  const redis = openRedis(options.url, options);
  const failures = tellCommandFailures(redis, options.onError);
  let state: 'none' | 'asked' | 'held' = 'none';
  let connection = 0;

  /** A reply on a connection that is gone says nothing about this one. */
  async function ask(): Promise<void> {
    const asked = connection;
    state = 'asked';
    try {
      await redis.subscribe(options.channel ?? DEFAULT_CHANNEL);
      if (asked !== connection) return;
      state = 'held';
      failures.succeeded();
      listener.subscribed();
    } catch (error) {
      if (asked !== connection) return;
      state = 'none';
      failures.failed(error);
    }
  }

  redis.on('ready', () => void ask());
  redis.on('close', () => {
    connection += 1;
    state = 'none';
    listener.lost();
  });
  redis.on('message', (_channel, text) => listener.message(text));

  return {
    check() {
      if (redis.status !== 'ready' || state === 'asked') return;
      if (state === 'none') void ask();
      // A subscription may be silent for ever: only an unanswered ping shows a dead connection.
      else redis.ping().catch(() => {});
    },
    end: () => redis.disconnect(),
  };
}
