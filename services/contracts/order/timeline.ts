import * as z from 'zod/mini';
import { PAYMENT_FAILURES } from '../payment/payment-failures.ts';
import { carrierSchema } from './carriers.ts';
import { GRANT_REASONS, REFUND_REASONS, WITHDRAWAL_REASONS } from './order-reasons.ts';

// This module is separate from views.ts, because every page of the web client loads views.ts.

export const timelineEntrySchema = z.object({
  type: z.enum([
    'placed',
    'delivery_changed',
    'payment_started',
    'paid',
    'shipped',
    'shipment_withdrawn',
    'parcel_recorded',
    'cancelled',
    'expired',
    'payment_abandoned',
    'refund_due',
    'refunded',
    'refund_failed',
    'mail_given_up',
    'payment_processing',
    'payment_failed',
    'refund_granted',
    'refund_pending',
    'refund_made',
    'refund_undone',
    'dispute_withdrawn',
    'dispute_reinstated',
    'dispute_changed',
    'dispute_lost',
    'dispute_ended',
  ]),
  at: z.iso.datetime(),
  version: z.number().check(z.int(), z.positive()),
  transactionId: z.optional(z.string()),
  amount: z.optional(z.number()),
  reason: z.optional(z.enum(REFUND_REASONS)),
  /** why an attempt to pay failed */
  failure: z.optional(z.enum(PAYMENT_FAILURES)),
  /** why an admin granted a refund */
  granted: z.optional(z.enum(GRANT_REASONS)),
  /** what the admin who granted a refund noted; only admins get this field */
  note: z.optional(z.string()),
  /** true for a refund that was made in Stripe's dashboard */
  elsewhere: z.optional(z.boolean()),
  /** why a shipment was withdrawn; null if no reason was given */
  withdrawal: z.optional(z.nullable(z.enum(WITHDRAWAL_REASONS))),
  carrier: z.optional(carrierSchema),
  trackingNumber: z.optional(z.string()),
  /**
   * who caused this event: 'customer', 'system', or an admin's name (or e-mail address if the name is empty); only
   * admins get this field
   */
  by: z.optional(z.string()),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;
