import type { TimelineEntry } from '@micro-center/services/contracts/views.ts';

export interface Refund {
  state: 'due' | 'refunded' | 'failed';
  /** when the last payment went back; null before */
  at: string | null;
}

const REFUNDING: ReadonlySet<TimelineEntry['type']> = new Set(['refund_due', 'refunded', 'refund_failed']);

/**
 * How an order's refunds stand; null where there are none. Refunded once every payment that is due to go back has gone back;
 * one that failed afterwards is due again.
 */
export function refundOf(entries: readonly TimelineEntry[]): Refund | null {
  /** what happened last, by payment */
  const last = new Map<string, TimelineEntry>();
  for (const entry of entries) {
    if (REFUNDING.has(entry.type)) last.set(entry.transactionId ?? '', entry);
  }
  if (last.size === 0) return null;
  const ends = [...last.values()];
  if (ends.some(({ type }) => type === 'refund_failed')) return { state: 'failed', at: null };
  const done = ends.every(({ type }) => type === 'refunded');
  return done ? { state: 'refunded', at: ends.at(-1)?.at ?? null } : { state: 'due', at: null };
}
