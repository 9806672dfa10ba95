import { LRUCache } from 'lru-cache';

/**
 * Creates an LRU cache for up to `max` entries. LRUCache's own `max` option would allocate the memory for all entries at
 * once: 3 MB and several milliseconds for 100,000 entries, whether they are ever used or not. With `maxSize`, memory is
 * allocated only as entries are added.
 */
export function createLruCache<Key extends string, Value extends NonNullable<unknown>>(
  max: number,
  expiry: Pick<LRUCache.OptionsBase<Key, Value, unknown>, 'ttl' | 'ttlResolution' | 'perf'> = {},
): LRUCache<Key, Value> {
  return new LRUCache({ ...expiry, maxSize: max, sizeCalculation: () => 1 });
}
