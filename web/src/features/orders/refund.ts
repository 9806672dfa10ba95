import type { TimelineEntry } from '@micro-center/services/contracts/views.ts';

/** `at`: when the last payment went back. */
export type Refund = { state: 'due' | 'failed'; at: null } | { state: 'refunded'; at: string };

const REFUNDING: ReadonlySet<TimelineEntry['type']> = new Set(['refund_due', 'refunded', 'refund_failed']);

/**
 * How an order's refunds stand; null where there are none. Refunded once every payment that is due to go back has gone back;
 * one that failed afterwards is due again.
 */
export function refundOf(entries: readonly TimelineEntry[]): Refund | null {
  const lastByPayment = new Map<string | undefined, TimelineEntry['type']>();
  for (const { type, transactionId } of entries) if (REFUNDING.has(type)) lastByPayment.set(transactionId, type);
  const ends = new Set(lastByPayment.values());
  if (ends.has('refund_failed')) return { state: 'failed', at: null };
  if (ends.has('refund_due')) return { state: 'due', at: null };
  const last = entries.findLast(({ type }) => type === 'refunded');
  return last ? { state: 'refunded', at: last.at } : null;
}
