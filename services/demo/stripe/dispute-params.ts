import { z } from 'zod';

/** The cardholder's complaint, as the simulator's dashboard and its test cards make it. */
export const disputeParams = z.strictObject({
  /** in the charge's smallest unit; by default, the part of the charge that hasn't been refunded */
  amount: z.number().int().positive().optional(),
  reason: z
    .enum([
      'credit_not_processed',
      'duplicate',
      'fraudulent',
      'general',
      'product_not_received',
      'product_unacceptable',
    ])
    .default('fraudulent'),
  /** An inquiry takes no money. The bank can turn it into a dispute. */
  inquiry: z.boolean().default(false),
  /** how many days the shop has to respond; 0 if it can't respond */
  daysToRespond: z.number().int().min(0).max(60).default(14),
});
export type DisputeParams = z.input<typeof disputeParams>;

/**
 * `respond` is the shop's, the others are the bank's. `escalate` turns an inquiry into a dispute. `close` ends an
 * inquiry, or accepts a dispute as lost.
 */
export const disputeDecisionSchema = z.enum(['respond', 'escalate', 'win', 'lose', 'close']);
export type DisputeDecision = z.output<typeof disputeDecisionSchema>;
