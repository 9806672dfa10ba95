import { z } from 'zod';
import { accept, type Decider } from '../../contracts/decider.ts';

/** The id of the single stream that allocates order numbers. */
export const NUMBERS = '0'.repeat(32);

/** The number before the first order number. Order numbers start at 1001, because a number such as 1 would look like a typo. */
const BEFORE_THE_FIRST = 1000;

export interface ReserveNumbers {
  readonly type: 'ReserveNumbers';
  readonly count: number;
}

/** Allocates order numbers in blocks. The version check keeps different processes' blocks from overlapping (ORD8). */
export const numbersDecider: Decider<number, ReserveNumbers> = {
  kind: 'numbers',
  initialState: BEFORE_THE_FIRST,
  snapshot: { fold: 1, parse: (kept) => z.number().int().safeParse(kept).data ?? null },
  evolve: (last, event) => (event.type === 'OrderNumbersReserved' ? event.data.first + event.data.count - 1 : last),
  decide: ({ count }, last) => accept({ type: 'OrderNumbersReserved', data: { first: last + 1, count } }),
};
