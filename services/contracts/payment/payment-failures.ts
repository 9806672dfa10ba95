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
