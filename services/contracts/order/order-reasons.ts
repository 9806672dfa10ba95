export const REFUND_REASONS = [
  'order_cancelled',
  'order_expired',
  'already_paid',
  'wrong_amount',
  'wrong_currency',
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** Why an admin granted a refund. Never remove a reason, because old events refer to it. */
export const GRANT_REASONS = ['requested', 'out_of_stock', 'damaged', 'late', 'price', 'other'] as const;
export type GrantReason = (typeof GRANT_REASONS)[number];

/** The status of a refund in Stripe. `pending` includes a refund for which Stripe still needs something from the customer. */
export const REFUND_STATUSES = ['pending', 'succeeded', 'failed', 'canceled'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Why a shipment was withdrawn. A reason isn't required within 30 seconds of shipping. */
export const WITHDRAWAL_REASONS = ['mistake', 'damaged', 'not_collected', 'address'] as const;
export type WithdrawalReason = (typeof WITHDRAWAL_REASONS)[number];
