import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { ServersConfig } from '../../runtime/config.ts';
import { ReadableError } from '../../runtime/readable-error.ts';
import { exponentialBackOff } from '../../runtime/schedule.ts';

export interface RedisSettings {
  /** the longest wait for an answer, in ms */
  readonly commandTimeoutMs?: number;
  /** told once of each time that Redis cannot be reached, without passwords or data; the connection goes on trying */
  readonly onError: (error: Error) => void;
}

/** In ms. */
const RECONNECT = { first: 50, longest: 1_000 };
const CONNECT_TIMEOUT = 3_000;
const HANG_UP_TIMEOUT = 500;
/** A connection with so many command times of silence is dead: networks drop connections without a word. */
const DEAD_AFTER_TIMEOUTS = 3;

/**
 * Connects to the Redis of a `redis://` or `rediss://` URL, now or as soon as it can be reached, again and again. Commands
 * never wait for it: they reject at once while it is away, and after `commandTimeoutMs` where it does not answer. No
 * command is sent twice, and subscriptions are the caller's to renew on each `ready`. disconnect() ends it.
 */
export function openRedis(url: string, { commandTimeoutMs = 1_000, onError }: RedisSettings): Redis {
  const redis = new Redis(url, {
    commandTimeout: commandTimeoutMs,
    socketTimeout: DEAD_AFTER_TIMEOUTS * commandTimeoutMs,
    connectTimeout: CONNECT_TIMEOUT,
    disconnectTimeout: HANG_UP_TIMEOUT,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    // After a failover that keeps connections this is the old primary: the address leads to the new one.
    reconnectOnError: (error) => error.message.includes('READONLY'),
    retryStrategy: exponentialBackOff(RECONNECT),
  });
  let told = false;
  redis.on('ready', () => {
    told = false;
  });
  redis.on('error', (error) => {
    if (!told) onError(withoutCommand(error));
    told = true;
  });
  return redis;
}

/** The address leads to a part of a Redis Cluster, or to a sentinel: its message is one readable line. */
export class NotOneRedis extends ReadableError {
  override readonly name = 'NotOneRedis';
}

/**
 * Looks whether an address leads to a Redis that serves alone or as a primary. One that is away, or does not tell, passes: the
 * shop starts without it.
 * @throws NotOneRedis
 */
export async function assertOneRedis(url: string): Promise<void> {
  const redis = openRedis(url, { onError: () => {} });
  try {
    await once(redis, 'ready', { signal: AbortSignal.timeout(CONNECT_TIMEOUT) });
    const mode = /redis_mode:(\w+)/.exec(await redis.info('server'))?.[1] ?? 'standalone';
    if (mode === 'standalone') return;
    throw new NotOneRedis(
      `REDIS_URL leads to a Redis in ${mode} mode: name one server, or an address that leads to the primary.`,
    );
  } catch (error) {
    if (error instanceof NotOneRedis) throw error;
  } finally {
    redis.disconnect();
  }
}

/** The same failure without the command that failed: that holds passwords or personal data, and errors end in a log. */
export function withoutCommand(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const plain = new Error(error.message.replace(/, with args beginning with:.*/s, ''));
  plain.name = error.name;
  return 'code' in error ? Object.assign(plain, { code: error.code }) : plain;
}

/** Tells the first of each run of failed commands; a connection that is lost is told by openRedis. */
export interface CommandFailures {
  failed(error: unknown): void;
  succeeded(): void;
}

export function tellCommandFailures(redis: Redis, onError: (error: Error) => void): CommandFailures {
  let told = false;
  return {
    failed(error) {
      if (told || redis.status !== 'ready') return;
      told = true;
      onError(withoutCommand(error));
    },
    succeeded() {
      told = false;
    },
  };
}

/** The channel on which projectors announce what has changed. */
export const liveChannel = ({ namePrefix }: ServersConfig) => `${namePrefix}:live`;

/** What the keys of callers' budgets begin with. */
export const rateKeys = ({ namePrefix }: ServersConfig) => `${namePrefix}:rate:`;
