import { z } from 'zod';

const few = z.number().int().min(0).max(100);

export const refundStatusSchema = z.enum(['succeeded', 'pending', 'requires_action', 'failed', 'canceled']);

/**
 * What may go wrong on purpose. A knob that is left out is off. They are forgotten at a restart.
 */
export const faultsSchema = z.strictObject({
  /** each event is delivered this many times, all at once */
  duplicate: z.number().int().min(1).max(10).default(1),
  /** events are never delivered */
  drop: z.boolean().default(false),
  /** each delivery waits this long before its first attempt */
  delayMs: z.number().int().min(0).max(600_000).default(0),
  /** deliveries are held until this many wait, then posted one after another, newest first; 0 is off */
  reorder: few.default(0),
  /** every POST to the API is worked on only after this long */
  apiDelayMs: z.number().int().min(0).max(60_000).default(0),
  /** the next so many POSTs to the API are answered 500 and do nothing */
  apiFailures: few.default(0),
  /** the next so many POSTs to the API do their work, and then the connection breaks before the answer */
  lostAnswers: few.default(0),
  /** what each new refund is at first; POST /simulator/refunds/:id changes it later */
  refundStatus: refundStatusSchema.default('succeeded'),
});
export type Faults = z.output<typeof faultsSchema>;

export const NO_FAULTS: Faults = faultsSchema.parse({});
