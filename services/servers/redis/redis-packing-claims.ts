import { z } from 'zod';
import {
  CLAIM_MS,
  type KeptClaim,
  MOST_CLAIMS,
  type PackingClaims,
  PackingUnavailable,
} from '../../shop/packing/packing-claims.ts';
import { openRedis, reportFailures, scriptOn, withoutCommand } from './redis.ts';

export interface RedisPackingOptions {
  readonly url: string;
  /** the Redis channel's name, which is also the prefix of the keys */
  readonly channel: string;
  /** called once for each Redis outage, with its first error, and once for each malformed message */
  readonly onError: (error: Error) => void;
  /** the longest that a request may wait for Redis, in ms */
  readonly commandTimeoutMs?: number;
}

/**
 * Sets `now` to the time on Redis's own clock, in ms. The KEYS of the scripts are, in order: the end times of all
 * claims, the holders of all claims and, except in LIST, the end times of this admin's claims.
 */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * ARGV: order, admin, the claim's duration in ms, the maximum number of claims per admin, channel, the admin as JSON.
 * Returns the claim's holder and end time, or an empty list if the admin already holds the maximum number of claims.
 */
const CLAIM = `${NOW}
for _, ended in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  redis.call('HDEL', KEYS[2], ended)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
local holder = redis.call('HGET', KEYS[2], ARGV[1])
if holder and holder ~= ARGV[2] then
  return { holder, redis.call('ZSCORE', KEYS[1], ARGV[1]) }
end
if not holder and redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[4]) then
  return {}
end
local till = string.format('%.0f', now + ARGV[3])
redis.call('ZADD', KEYS[1], till, ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[3], till, ARGV[1])
for _, key in ipairs(KEYS) do
  redis.call('PEXPIRE', key, ARGV[3])
end
redis.call('PUBLISH', ARGV[5], '{"order":"' .. ARGV[1] .. '","by":' .. ARGV[6] .. '}')
return { ARGV[2], till }
`;

/** ARGV: order, admin, channel. Returns 1 if the admin held the claim, otherwise 0. */
const RELEASE = `${NOW}
local till = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0)
if till <= now or redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('PUBLISH', ARGV[3], '{"order":"' .. ARGV[1] .. '","by":null}')
return 1
`;

/** Returns each claim's order, admin and end time. */
const LIST = `${NOW}
local claims = {}
for _, order in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], string.format('(%.0f', now), '+inf')) do
  table.insert(claims, { order, redis.call('HGET', KEYS[2], order), redis.call('ZSCORE', KEYS[1], order) })
end
return claims
`;

const time = z.coerce.number().int();
const claimedSchema = z.union([z.tuple([]), z.tuple([z.string(), time])]);
const listedSchema = z.array(z.tuple([z.string(), z.string(), time]));

/**
 * Stores the packing claims of all processes in Redis. Only ids are stored. Redis deletes them two minutes after the
 * last claim.
 */
export function createRedisPackingClaims(options: RedisPackingOptions): PackingClaims {
  const { url, channel, onError, commandTimeoutMs = 250 } = options;
  const redis = openRedis(url, { commandTimeoutMs, onError });
  const report = reportFailures(redis, onError);
  const claimPacking = scriptOn(redis, 'claimPacking', { numberOfKeys: 3, lua: CLAIM });
  const releasePacking = scriptOn(redis, 'releasePacking', { numberOfKeys: 3, lua: RELEASE });
  const listPacking = scriptOn(redis, 'listPacking', { numberOfKeys: 2, lua: LIST });
  const shared = [`${channel}:ends`, `${channel}:by`] as const;
  const keysOf = (userId: string) => [...shared, `${channel}:of:${userId}`];

  function ask<T>(schema: z.ZodType<T>, command: Promise<unknown>): Promise<T> {
    return report(command.then((reply) => schema.parse(reply))).catch((error: unknown) => {
      throw new PackingUnavailable('Redis is unavailable for packing claims.', { cause: withoutCommand(error) });
    });
  }

  return {
    async claim(order, by) {
      const values = [order, by.id, CLAIM_MS, MOST_CLAIMS, channel, JSON.stringify(by)];
      const [userId, until] = await ask(claimedSchema, claimPacking(...keysOf(by.id), ...values));
      return userId === undefined || until === undefined ? null : { order, userId, until };
    },
    async release(order, userId) {
      const released = await ask(z.number(), releasePacking(...keysOf(userId), order, userId, channel));
      return released === 1;
    },
    async list() {
      const listed = await ask(listedSchema, listPacking(...shared));
      return listed.map(([order, userId, until]): KeptClaim => ({ order, userId, until }));
    },
    async close() {
      redis.disconnect();
    },
  };
}
