import { z } from 'zod';
import type { PackingPush } from '../../contracts/packing/packing.ts';
import { parseJson } from '../../runtime/parse-json.ts';
import { CLAIM_MS, type PackingFeed } from '../../shop/packing/packing-claims.ts';
import type { RedisPackingOptions } from './redis-packing-claims.ts';
import { keepSubscribed } from './redis-subscription.ts';

const messageSchema = z.object({ order: z.string(), by: z.object({ id: z.string(), name: z.string() }).nullable() });

/**
 * Connects immediately, and reconnects whenever the connection is lost. A missed push does no lasting harm, because
 * every claim expires on its own.
 */
export function createRedisPackingFeed(options: RedisPackingOptions): PackingFeed {
  const listeners = new Set<(push: PackingPush) => void>();

  function message(text: string): void {
    const read = messageSchema.safeParse(parseJson(text));
    if (!read.success) {
      options.onError(new Error('A packing message is malformed.'));
      return;
    }
    const { order, by } = read.data;
    const push = by ? { order, by, left: CLAIM_MS } : { order, by, left: null };
    for (const listener of listeners) listener(push);
  }

  const end = keepSubscribed(options, { message });

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    async close() {
      listeners.clear();
      end();
    },
  };
}
