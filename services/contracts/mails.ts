import { z } from 'zod';

/**
 * The name of a mail about an order. Each mail is sent once. `refunded.<intent>` is sent for each refunded payment,
 * `shipped.2` for the second shipment, `withdrawn` and `withdrawn.2` for the withdrawal of the first and the second.
 */
export const mailSchema = z
  .string()
  .regex(/^(placed|paid|(shipped|withdrawn)(\.\d+)?|cancelled|expired|refunded\.\w+)$/);

/**
 * Why a mail wasn't sent: it couldn't be sent for a day, the mail server refused it for good, it was out of date, or
 * the customer has no verified e-mail address.
 */
export const UNSENT_REASONS = ['too_late', 'refused', 'outdated', 'no_verified_email'] as const;
export type UnsentReason = (typeof UNSENT_REASONS)[number];

/** Returns true if the customer would miss the unsent mail. The order's timeline then says that it wasn't sent. */
export const isMissed = (reason: UnsentReason): boolean => reason === 'too_late' || reason === 'refused';
