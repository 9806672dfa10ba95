import { z } from 'zod';
import { accept, type Decider, NOTHING_TO_DO } from '../../contracts/decider.ts';
import type { EventData } from '../../contracts/events.ts';

/** The id of the single stream that says how far Stripe's lists have been read. */
export const READER = '0'.repeat(32);

/** The ids of the newest event and the newest balance transaction that were read; null if none was. */
export type Reading = EventData<'StripeRead'>;

const readingSchema = z.object({ event: z.string().nullable(), transaction: z.string().nullable() });

/**
 * How far Stripe's lists have been read. The position is in the log, so that it goes back together with a restored backup
 * and everything since the backup is read again (LEDGER3).
 */
export const readingDecider: Decider<Reading, { readonly type: 'MoveReader' } & Partial<Reading>> = {
  kind: 'reader',
  initialState: { event: null, transaction: null },
  snapshot: { fold: 1, parse: (kept) => readingSchema.safeParse(kept).data ?? null },
  evolve: (reading, event) => (event.type === 'StripeRead' ? event.data : reading),
  decide({ event, transaction }, before) {
    const after = { event: event ?? before.event, transaction: transaction ?? before.transaction };
    const isSame = after.event === before.event && after.transaction === before.transaction;
    return isSame ? NOTHING_TO_DO : accept({ type: 'StripeRead', data: after });
  },
};
