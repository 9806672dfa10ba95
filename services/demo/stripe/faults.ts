import { z } from 'zod';

const few = z.number().int().min(0).max(100);

export const refundStatusSchema = z.enum(['succeeded', 'pending', 'requires_action', 'failed', 'canceled']);

/** Off unless set; forgotten at a restart. */
export const faultsSchema = z.strictObject({
  /** deliveries of each event, all at once */
  duplicate: z.number().int().min(1).max(10).default(1),
  drop: z.boolean().default(false),
  /** before the first attempt */
  delayMs: z.number().int().min(0).max(600_000).default(0),
  /** holds deliveries back until this many are waiting, then posts them one after another, newest first */
  reorder: few.default(0),
  /** before each POST to the API is handled */
  apiDelayMs: z.number().int().min(0).max(60_000).default(0),
  /** this many POSTs to the API get 500 and do nothing */
  apiFailures: few.default(0),
  /** this many POSTs to the API do their work, and then the connection breaks */
  lostAnswers: few.default(0),
  /** of each new refund; POST /simulator/refunds/:id changes it later */
  refundStatus: refundStatusSchema.default('succeeded'),
});
export type Faults = z.output<typeof faultsSchema>;
