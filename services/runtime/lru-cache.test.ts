import { expect, it } from 'vitest';
import { createLruCache } from './lru-cache.ts';

it('an LRU cache contains at most its maximum number of entries, and evicts the entry that was used least recently', () => {
  const cache = createLruCache<string, number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
  cache.get('a');
  cache.set('d', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd']);
});

it('an LRU cache forgets entries that are older than its time to live', () => {
  let now = 1_000;
  const cache = createLruCache<string, number>(3, { ttl: 50, ttlResolution: 0, perf: { now: () => now } });
  cache.set('a', 1);
  now += 51;
  expect(cache.get('a')).toBeUndefined();
});
