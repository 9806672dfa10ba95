import { z } from 'zod';

const few = z.number().int().min(0).max(100);

export const refundStatusSchema = z.enum(['succeeded', 'pending', 'requires_action', 'failed', 'canceled']);

/** Every fault is off by default, and is turned off again by a restart. */
export const faultsSchema = z.strictObject({
  /** how many copies of each event are delivered, in parallel */
  duplicate: z.number().int().min(1).max(10).default(1),
  drop: z.boolean().default(false),
  /** the types of events that aren't delivered */
  dropTypes: z.array(z.string()).default([]),
  /** the delay before the first delivery attempt */
  delayMs: z.number().int().min(0).max(600_000).default(0),
  /** holds deliveries back until this many are waiting, then posts them one after another, newest first */
  reorder: few.default(0),
  /** how long to wait before handling each POST to the API */
  apiDelayMs: z.number().int().min(0).max(60_000).default(0),
  /** how many of the next POSTs to the API fail with 500 and change nothing */
  apiFailures: few.default(0),
  /** how many of the next POSTs to the API take effect but have their connection dropped before the response */
  lostAnswers: few.default(0),
  /** how many of the next GETs of a list or of the balance fail with 500 */
  listFailures: few.default(0),
  /** how many of the next GETs of a list or of the balance are refused with 429, because of too many requests */
  rateLimits: few.default(0),
  /** the status of each new refund; POST /simulator/refunds/:id changes it later */
  refundStatus: refundStatusSchema.default('succeeded'),
  /**
   * how long after a payment its charge gets a balance transaction; 0 means in the same call. Stripe settles charges
   * asynchronously too.
   */
  lateBalanceMs: z.number().int().min(0).max(600_000).default(0),
  /** how long it takes until the banks decide about payments, refunds and disputes that aren't decided at once */
  decisionMs: z.number().int().min(0).max(86_400_000).default(60_000),
});
export type Faults = z.output<typeof faultsSchema>;
