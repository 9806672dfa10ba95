import { z } from 'zod';
import { count, poisha, text } from '../event-fields.ts';
import { idSchema } from '../ids.ts';
import { GRANT_REASONS, REFUND_REASONS, REFUND_STATUSES } from '../order/order-reasons.ts';
import { PAYMENT_FAILURES } from './payment-failures.ts';

/** The events of an order's stream about its payment, its refunds and its disputes. */
export const paymentEvents = {
  PaymentStarted: z.object({ intent: text, attempt: count, amount: poisha }),
  PaymentRecorded: z.object({ intent: text, amount: poisha, currency: text }),
  /** Stripe is still processing the payment. The order's stock is kept until `until`, even if its hold ends earlier (PAY7). */
  PaymentProcessing: z.object({ intent: text, until: z.iso.datetime() }),
  /** an attempt to pay failed; the customer may try again with the same payment intent */
  PaymentFailed: z.object({ intent: text, reason: z.enum(PAYMENT_FAILURES) }),
  PaymentAbandoned: z.object({ intent: text }),
  RefundDue: z.object({ intent: text, amount: poisha, currency: text, reason: z.enum(REFUND_REASONS) }),
  PaymentRefunded: z.object({ intent: text, amount: poisha, refund: text }),
  /**
   * A refund failed, so `amount` still has to be refunded. `attempt` is how many refunds of this payment intent have
   * failed so far. `failure` is the reason that Stripe gave.
   */
  RefundFailed: z.object({
    intent: text,
    amount: poisha,
    reason: z.enum(REFUND_REASONS),
    refund: text,
    attempt: count,
    failure: text,
  }),
  /** An admin decided to give back `amount` of the order's payment. `personal` is sealed with the customer's key. */
  RefundGranted: z.object({
    grant: text,
    intent: text,
    amount: poisha,
    currency: text,
    reason: z.enum(GRANT_REASONS),
    person: idSchema,
    personal: z.object({ note: text }),
  }),
  /**
   * What Stripe says about one refund of the order's payment. `grant` is null if the refund was made in Stripe's
   * dashboard. `failure` is the reason that Stripe gave if the refund failed.
   */
  RefundReported: z.object({
    refund: text,
    intent: text,
    amount: poisha,
    currency: text,
    status: z.enum(REFUND_STATUSES),
    grant: text.nullable(),
    failure: text.nullable(),
  }),
  /**
   * What Stripe says about a dispute of the order's payment. `amount` left the shop's balance if `withdrawn` is true,
   * and came back if `reinstated` is true. The payment can't be refunded while `refundable` is false.
   */
  DisputeReported: z.object({
    dispute: text,
    intent: text,
    amount: poisha,
    currency: text,
    status: text,
    withdrawn: z.boolean(),
    reinstated: z.boolean(),
    refundable: z.boolean(),
  }),
} as const;
