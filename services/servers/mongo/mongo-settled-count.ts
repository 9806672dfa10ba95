/** The background count of settled documents is running for at most 1/SHARE of the time. */
const SHARE = 20;
/** The time limit for the background count, in ms. */
const LONGEST_COUNT_MS = 60_000;
const LONGEST_ASKED_FOR_MS = 1_000;

/** The documents that have the value `most` of a counted column (CountedColumn). */
export interface CountedDocuments {
  /** How much older than the newest document a document has to be to count as settled, in ms. */
  readonly settledAfterMs: number;
  /** Returns the latest time in the column `since` (ISO 8601), or null if no document has the value. */
  newest(): Promise<string | null>;
  /** Counts the documents that have had the value since a time at or after `since` and before `before` (ISO 8601). */
  count(range: { readonly before?: string; readonly since?: string }, maxTimeMS: number): Promise<number>;
}

interface Settled {
  /** Documents from before this time (ISO 8601) are settled. The value is null if no document has the counted value. */
  readonly until: string | null;
  readonly count: number;
}

/**
 * Counts documents. Settled documents, which can no longer lose the counted value, may number in the millions. They are
 * recounted in the background, by a query that is running for at most 1/`SHARE` of the time. All other documents are
 * few, and are counted on each call. Every count starts from scratch, so a document that was saved too late for one
 * count is included in the next (BOARD1). `now` is a monotonic clock in ms.
 */
export function createSettledCount(documents: CountedDocuments, now: () => number = () => performance.now()) {
  let settled: Settled | undefined;
  let due = 0;
  let counting: Promise<Settled> | undefined;

  async function countSettled(): Promise<Settled> {
    const begun = now();
    try {
      const newest = await documents.newest();
      const until = newest && new Date(Date.parse(newest) - documents.settledAfterMs).toISOString();
      const count = until ? await documents.count({ before: until }, LONGEST_COUNT_MS) : 0;
      settled = { until, count };
      return settled;
    } finally {
      counting = undefined;
      due = now() + (now() - begun) * (SHARE - 1);
    }
  }

  /** Waits only if no count has finished yet. Otherwise, returns the last finished count immediately. */
  async function lastSettled(): Promise<Settled> {
    if (settled && now() < due) return settled;
    counting ??= countSettled();
    // If a count fails, the last finished count is used until the next one is due.
    counting.catch(() => undefined);
    return settled ?? counting;
  }

  return {
    async count(): Promise<number> {
      const { until, count } = await lastSettled();
      return count + (await documents.count(until ? { since: until } : {}, LONGEST_ASKED_FOR_MS));
    },
    /** Forgets the count of settled documents. Called when all documents are deleted. */
    forget(): void {
      settled = undefined;
    },
  };
}
