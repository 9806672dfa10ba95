/** Why an order was cancelled. Every page loads these reasons, so they have a file of their own. */
export const CANCEL_REASONS = ['customer', 'expired', 'admin'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];
