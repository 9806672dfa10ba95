/**
 * How much older than the newest shipment a shipment has to be to count as settled, in ms. A shipment that old can no
 * longer be withdrawn (ORD11), even if the processes' clocks differ.
 */
const SETTLED_AFTER_MS = 20 * 60_000;
/** The background count of settled shipments is running for at most 1/SHARE of the time. */
const SHARE = 20;
/** The time limit for the background count, in ms. */
const LONGEST_COUNT_MS = 60_000;
const LONGEST_ASKED_FOR_MS = 1_000;

export interface ShippedOrders {
  /** Returns the time of the most recent shipment (ISO 8601), or null if nothing is shipped. */
  newestShippedAt(): Promise<string | null>;
  /** Counts the orders that were shipped at or after `since` and before `before` (ISO 8601). */
  count(range: { readonly before?: string; readonly since?: string }, maxTimeMS: number): Promise<number>;
}

interface Settled {
  /** Shipments before this time (ISO 8601) are settled. The value is null if nothing is shipped. */
  readonly until: string | null;
  readonly count: number;
}

/**
 * Counts shipped orders. Settled shipments, which can no longer be withdrawn, may number in the millions. They are
 * recounted in the background, by a query that is running for at most 1/`SHARE` of the time. All other shipments are
 * few, and are counted on each call. Every count starts from scratch, so a shipment that was projected too late for one
 * count is included in the next (BOARD1). `now` is a monotonic clock in ms.
 */
export function createShippedCount(orders: ShippedOrders, now: () => number = () => performance.now()) {
  let settled: Settled | undefined;
  let due = 0;
  let counting: Promise<Settled> | undefined;

  async function countSettled(): Promise<Settled> {
    const begun = now();
    try {
      const newest = await orders.newestShippedAt();
      const until = newest && new Date(Date.parse(newest) - SETTLED_AFTER_MS).toISOString();
      const count = until ? await orders.count({ before: until }, LONGEST_COUNT_MS) : 0;
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
      return count + (await orders.count(until ? { since: until } : {}, LONGEST_ASKED_FOR_MS));
    },
    /** Forgets the count of settled shipments. Called when all documents are deleted. */
    forget(): void {
      settled = undefined;
    },
  };
}
