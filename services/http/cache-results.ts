import { LRUCache } from 'lru-cache';
import type { ApiDependencies } from './dependencies.ts';

const MAX_KEYS = 1_000;

/**
 * Returns a function that caches the results of `read` by `key` for the given number of milliseconds. All calls with
 * the same `readModels` and `key` share one result. Failures aren't cached.
 */
export function cacheResults<T>(milliseconds: number) {
  const ofShops = new WeakMap<ApiDependencies['readModels'], LRUCache<string, { until: number; result: Promise<T> }>>();

  return (
    { readModels, clock }: Pick<ApiDependencies, 'readModels' | 'clock'>,
    key: string,
    read: () => Promise<T>,
  ): Promise<T> => {
    const cache = ofShops.get(readModels) ?? new LRUCache({ max: MAX_KEYS });
    ofShops.set(readModels, cache);
    const now = clock();
    const last = cache.get(key);
    if (last && now < last.until) return last.result;
    const entry = { until: now + milliseconds, result: read() };
    cache.set(key, entry);
    entry.result.catch(() => {
      // A newer result may have been cached before this one failed.
      if (cache.get(key) === entry) cache.delete(key);
    });
    return entry.result;
  };
}
