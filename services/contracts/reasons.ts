export const CANCEL_REASONS = ['customer', 'expired', 'admin'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** Why an account was closed: its e-mail address got a new owner, an admin released the address, or the person was erased. */
export const CLOSE_REASONS = ['taken_over', 'released', 'erased'] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** Why a payment attempt failed, as far as a shopper can do something about it. */
export const PAYMENT_FAILURES = [
  'declined',
  'insufficient_funds',
  'expired_card',
  'wrong_card_details',
  'not_authenticated',
  'other',
] as const;
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number];
