import { z } from 'zod';

/** The parts of the simulator's responses that the dashboard shows. Amounts are in the currency's smallest unit. */

const money = { amount: z.number(), currency: z.string() };

const chargeSchema = z.object({
  ...money,
  id: z.string(),
  amount_refunded: z.number(),
  paid: z.boolean(),
  disputed: z.boolean(),
  payment_method_details: z.object({ card: z.object({ brand: z.string(), last4: z.string() }) }),
});
const refundSchema = z.object({
  ...money,
  id: z.string(),
  status: z.string(),
  reason: z.string().nullable(),
  created: z.number(),
});
const disputeSchema = z.object({
  ...money,
  id: z.string(),
  status: z.string(),
  reason: z.string(),
  created: z.number(),
  is_charge_refundable: z.boolean(),
});
const paymentSchema = z.object({
  intent: z.object({
    ...money,
    id: z.string(),
    status: z.string(),
    created: z.number(),
    latest_charge: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    last_payment_error: z.object({ message: z.string() }).nullable(),
  }),
  charges: z.array(chargeSchema),
  refunds: z.array(refundSchema),
  disputes: z.array(disputeSchema),
});

export const paymentsSchema = z.object({ has_more: z.boolean(), payments: z.array(paymentSchema) });
const parts = z.array(z.object(money));
export const balanceSchema = z.object({ available: parts, pending: parts });

export type ShownCharge = z.infer<typeof chargeSchema>;
export type ShownRefund = z.infer<typeof refundSchema>;
export type ShownDispute = z.infer<typeof disputeSchema>;
export type ShownPayment = z.infer<typeof paymentSchema>;
export type ShownBalance = z.infer<typeof balanceSchema>;
