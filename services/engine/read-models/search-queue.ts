import { TooManySearches } from './read-models.ts';

/** Lets so many searches run at once and so many wait for their turn; any more are refused, so that no queue grows (FIND1). */
export function createSearchQueue({ atOnce, waiting: mostWaiting }: { atOnce: number; waiting: number }) {
  const waiting: (() => void)[] = [];
  let running = 0;

  return {
    /** @throws TooManySearches before anything was asked */
    async run<T>(search: () => Promise<T>): Promise<T> {
      if (running === atOnce) {
        if (waiting.length === mostWaiting) throw new TooManySearches(`${mostWaiting} searches wait already.`);
        // Whoever ends hands their turn over.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await search();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
