/** A shipment that is this much older than the newest one can't be withdrawn any more (ORD11), clocks that differ included. */
const SETTLED_AFTER_MS = 20 * 60_000;
/** Counting settled shipments takes at most one part in this many of the time. */
const SHARE = 20;
/** The time limit of the background count, in ms. */
const LONGEST_COUNT_MS = 60_000;
const LONGEST_ASKED_FOR_MS = 1_000;

export interface ShippedOrders {
  /** When the newest shipment began (ISO 8601); null where nothing is shipped. */
  newestShippedAt(): Promise<string | null>;
  /** Counts shipped orders by when their shipment began (ISO 8601). */
  count(range: { readonly before?: string; readonly since?: string }, maxTimeMS: number): Promise<number>;
}

interface Settled {
  /** ISO 8601; null where nothing is settled */
  readonly until: string | null;
  readonly count: number;
}

/**
 * Counts shipped orders. A shop has millions of them that never change again: those that are settled again and again in the
 * background, for at most a twentieth of the time, and the few others with each call. Both are counts by an index, so what they
 * missed once, such as a shipment that was projected late, they have the next time (BOARD1). `now` is in ms and never goes back.
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

  /** Waits for the first count alone. */
  async function lastSettled(): Promise<Settled> {
    if (settled && now() < due) return settled;
    counting ??= countSettled();
    // Where one stands already, it stands until the next is due.
    counting.catch(() => undefined);
    return settled ?? counting;
  }

  return {
    async count(): Promise<number> {
      const { until, count } = await lastSettled();
      return count + (await orders.count(until ? { since: until } : {}, LONGEST_ASKED_FOR_MS));
    },
    /** The documents are gone, and others may come. */
    forget(): void {
      settled = undefined;
    },
  };
}
