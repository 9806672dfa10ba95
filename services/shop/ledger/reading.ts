import { z } from 'zod';
import { accept, type Decider, NOTHING_TO_DO } from '../../contracts/decider.ts';
import type { EventData } from '../../contracts/events.ts';

/** The id of the single stream that says how far Stripe's lists have been read. */
export const READER = '0'.repeat(32);

/** How far Stripe's lists have been read, and why they can't be read if they can't. */
export type Reading = EventData<'StripeRead'>;

const text = z.string().nullable();
const readingSchema = z.object({ event: text, transaction: text, until: text, problem: text });
const UNREAD: Reading = { event: null, transaction: null, until: null, problem: null };

/**
 * How far Stripe's lists have been read. The position is in the log, so that it goes back together with a restored backup
 * and everything since the backup is read again (LEDGER3).
 */
export const readingDecider: Decider<Reading, { readonly type: 'MoveReader' } & Partial<Reading>> = {
  kind: 'reader',
  initialState: UNREAD,
  snapshot: { fold: 2, parse: (kept) => readingSchema.safeParse(kept).data ?? null },
  evolve: (reading, event) => (event.type === 'StripeRead' ? event.data : reading),
  decide({ type: _, ...position }, before) {
    const after = { ...before, ...position };
    const isSame = Object.entries(after).every(([name, value]) => before[name as keyof Reading] === value);
    return isSame ? NOTHING_TO_DO : accept({ type: 'StripeRead', data: after });
  },
};
