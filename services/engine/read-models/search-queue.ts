import pLimit from 'p-limit';
import { TooManySearches } from './read-models.ts';

/** Lets so many searches run at once and so many wait for their turn; any more are refused, so that no queue grows (FIND1). */
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
