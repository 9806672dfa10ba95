import pLimit from 'p-limit';
import { TooManySearches } from './read-models.ts';

/** Limits how many searches run at once and how many wait for their turn. Refuses the rest, so that the queue can't grow (FIND1). */
export function createSearchQueue({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const limit = pLimit(atOnce);
  return {
    /** @throws TooManySearches before anything was asked */
    async run<T>(search: () => Promise<T>): Promise<T> {
      if (limit.pendingCount === waiting) throw new TooManySearches(`${waiting} searches wait already.`);
      return limit(search);
    },
  };
}
