/** Why an account was closed: its e-mail address got a new owner, an admin released the address, or the person was erased. */
export const CLOSE_REASONS = ['taken_over', 'released', 'erased'] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];
