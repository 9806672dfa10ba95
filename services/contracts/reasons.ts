/** Events from older versions of the shop say 'customer' even if an admin cancelled the order. */
export const CANCEL_REASONS = ['customer', 'expired', 'admin'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** Why an account was closed: its e-mail address got a new owner, an admin released the address, or the person was erased. */
export const CLOSE_REASONS = ['taken_over', 'released', 'erased'] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

export const REFUND_REASONS = [
  'order_cancelled',
  'order_expired',
  'already_paid',
  'wrong_amount',
  'wrong_currency',
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** Why a shipment was withdrawn. A reason isn't required within 30 seconds of shipping. */
export const WITHDRAWAL_REASONS = ['mistake', 'damaged', 'not_collected', 'address'] as const;
export type WithdrawalReason = (typeof WITHDRAWAL_REASONS)[number];
