import pLimit from 'p-limit';
import { TooManySearches } from './read-models.ts';

/** Returns a queue that limits how many searches run at once and how many wait. Any further search is rejected (FIND1). */
export function createSearchQueue({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const limit = pLimit(atOnce);
  return {
    /** @throws TooManySearches without running the search */
    async run<T>(search: () => Promise<T>): Promise<T> {
      if (limit.pendingCount === waiting) throw new TooManySearches(`${waiting} searches are waiting already.`);
      return limit(search);
    },
  };
}
