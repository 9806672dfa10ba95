import { z } from 'zod';
import { MAX_TOTAL_TAKA, takaSchema } from '../money.ts';
import { GRANT_REASONS } from '../order/order-reasons.ts';
import { noteSchema, versionSchema } from '../request-fields.ts';

/**
 * A refund of an order's payment. `amount` is in taka, and `version` is the order version that the admin saw. If `cancel`
 * is true, the order is cancelled as well, which is possible only if nothing of its payment is left.
 */
export const newRefundSchema = z.object({
  amount: takaSchema,
  reason: z.enum(GRANT_REASONS),
  note: noteSchema.default(''),
  version: versionSchema,
  cancel: z.boolean().default(false),
});
export type NewRefund = z.input<typeof newRefundSchema>;

/**
 * A client's report that an order has been paid. The report is never trusted: the server looks up the payment intent in
 * Stripe (PAY1).
 */
export const paymentReportSchema = z.object({
  order: z.string().optional(),
  transactionId: z.string().regex(/^pi_[A-Za-z0-9_]{1,200}$/),
});
export type PaymentReport = z.infer<typeof paymentReportSchema>;

export const newPaymentIntentSchema = z.object({
  orderId: z.string(),
  totalPrice: z.number().int().nonnegative().max(MAX_TOTAL_TAKA),
});
export type NewPaymentIntent = z.infer<typeof newPaymentIntentSchema>;
