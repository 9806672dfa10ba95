import { LRUCache } from 'lru-cache';
import type { ApiDependencies } from './dependencies.ts';

const MAX_KEYS = 1_000;

/** Returns the answer of each key, asked for at most once in so many milliseconds, whoever calls. A failure is not kept. */
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
