/** Why an order was cancelled: by its customer, or because it was never paid. */
export const CANCEL_REASONS = ['customer', 'expired'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** Why an account was closed: its e-mail got a new owner, an admin gave it free, or its person was erased. */
export const CLOSE_REASONS = ['taken_over', 'released', 'erased'] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** Why a payment that cannot be the order's goes back. */
export const REFUND_REASONS = [
  'order_cancelled',
  'order_expired',
  'already_paid',
  'wrong_amount',
  'wrong_currency',
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];
