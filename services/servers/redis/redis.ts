import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { Servers } from '../../runtime/config.ts';
import { ReadableError } from '../../runtime/readable-error.ts';
import { exponentialBackOff } from '../../runtime/schedule.ts';

export interface RedisSettings {
  /** the longest wait for a reply, in ms */
  readonly commandTimeoutMs?: number;
  /** Called once per outage, with an error that contains no passwords or data. The connection keeps retrying. */
  readonly onError: (error: Error) => void;
}

const RECONNECT = { first: 50, longest: 1_000 };
const CONNECT_TIMEOUT = 3_000;
const HANG_UP_TIMEOUT = 500;
/**
 * The number of command timeouts after which a silent connection counts as dead. Networks can drop connections without
 * notice.
 */
const DEAD_AFTER_TIMEOUTS = 3;

/**
 * Connects to a `redis://` or `rediss://` URL, and reconnects whenever the connection is lost, until disconnect() is
 * called. Commands never wait for a connection. If there is none, they reject immediately. Otherwise, they reject after
 * `commandTimeoutMs` without a reply. No command is sent twice. Callers must renew their subscriptions each time the
 * client emits `ready`.
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
    // A connection that stays open during a failover still goes to the old primary, which rejects writes. A new
    // connection to the same address goes to the new primary.
    reconnectOnError: (error) => error.message.includes('READONLY'),
    retryStrategy: exponentialBackOff(RECONNECT),
  });
  let reported = false;
  redis.on('ready', () => {
    reported = false;
  });
  redis.on('error', (error) => {
    if (!reported) onError(withoutCommand(error));
    reported = true;
  });
  return redis;
}

export class NotOneRedis extends ReadableError {
  override readonly name = 'NotOneRedis';
}

/**
 * Checks that the URL leads to a single Redis server. Accepts a server that is down or doesn't report its mode.
 * @throws NotOneRedis for a cluster node or a sentinel
 */
export async function assertOneRedis(url: string): Promise<void> {
  const redis = openRedis(url, { onError: () => {} });
  try {
    await once(redis, 'ready', { signal: AbortSignal.timeout(CONNECT_TIMEOUT) });
    const mode = /redis_mode:(\w+)/.exec(await redis.info('server'))?.[1] ?? 'standalone';
    if (mode === 'standalone') return;
    throw new NotOneRedis(
      `REDIS_URL leads to a Redis in ${mode} mode: name a single server, or an address that always leads to the primary.`,
    );
  } catch (error) {
    if (error instanceof NotOneRedis) throw error;
  } finally {
    redis.disconnect();
  }
}

/** Copies an error without its command, which may contain passwords or personal data that must not reach a log. */
export function withoutCommand(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const plain = new Error(error.message.replace(/, with args beginning with:.*/s, ''));
  plain.name = error.name;
  return 'code' in error ? Object.assign(plain, { code: error.code }) : plain;
}

/**
 * Returns a function that awaits a command. If several commands fail in a row, the function reports only the first
 * failure. It doesn't report failures while the connection is lost, because openRedis() reports the loss.
 */
export function reportFailures(redis: { readonly status: string }, onError: (error: Error) => void) {
  let reported = false;
  return async <T>(command: Promise<T>): Promise<T> => {
    try {
      const reply = await command;
      reported = false;
      return reply;
    } catch (error) {
      if (!reported && redis.status === 'ready') {
        reported = true;
        onError(withoutCommand(error));
      }
      throw error;
    }
  };
}

type Script = (...keysAndValues: readonly (string | number)[]) => Promise<unknown>;

/**
 * Returns a function that runs this script. The script's text is sent once per connection, and later calls send only
 * its hash.
 */
export function scriptOn(redis: Redis, name: string, script: { lua: string; numberOfKeys: number }): Script {
  redis.defineCommand(name, script);
  return (Reflect.get(redis, name) as Script).bind(redis);
}

export const liveChannel = ({ namePrefix }: Servers) => `${namePrefix}:live`;

export const packingChannel = ({ namePrefix }: Servers) => `${namePrefix}:packing`;

export const rateKeys = ({ namePrefix }: Servers) => `${namePrefix}:rate:`;
