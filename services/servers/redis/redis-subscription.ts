import { openRedis, tellCommandFailures } from './redis.ts';
import { DEFAULT_CHANNEL, type RedisChannel } from './redis-channel.ts';

export interface SubscriptionListener {
  /** From now on all that reaches Redis is heard, until the connection is lost. */
  subscribed(): void;
  lost(): void;
  message(text: string): void;
}

/** A subscription that is renewed on every connection. */
export interface RedisSubscription {
  /** To be called now and then: asks again where a subscription was refused, and for a sign of life where one is held. */
  check(): void;
  end(): void;
}

export function keepSubscribed(options: RedisChannel, listener: SubscriptionListener): RedisSubscription {
  const redis = openRedis(options.url, options);
  const failures = tellCommandFailures(redis, options.onError);
  let state: 'none' | 'asked' | 'held' = 'none';
  let connection = 0;

  /** An answer that belongs to a connection which is gone says nothing about this one. */
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
      // A subscription may be silent for ever: without a question that stays unanswered no dead connection is noticed.
      else redis.ping().catch(() => {});
    },
    end: () => redis.disconnect(),
  };
}
