import { LRUCache } from 'lru-cache';
import type { ApiDependencies } from './dependencies.ts';

const MAX_KEYS = 1_000;

/**
 * Returns a function that caches the result of `ask` under a key for `milliseconds` ms. All callers of a shop share the
 * result. Failures aren't cached.
 */
export function keepAnswers<T>(milliseconds: number) {
  const ofShops = new WeakMap<ApiDependencies['readModels'], LRUCache<string, { until: number; answer: Promise<T> }>>();

  return ({ readModels, clock }: ApiDependencies, key: string, ask: () => Promise<T>): Promise<T> => {
    const kept = ofShops.get(readModels) ?? new LRUCache({ max: MAX_KEYS });
    ofShops.set(readModels, kept);
    const now = clock();
    const last = kept.get(key);
    if (last && now < last.until) return last.answer;
    const answer = ask();
    kept.set(key, { until: now + milliseconds, answer });
    answer.catch(() => kept.delete(key));
    return answer;
  };
}
