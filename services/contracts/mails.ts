import { z } from 'zod';

/**
 * The name of a mail about an order. Each mail is sent once. `refunded.<intent>` is sent for each refunded payment,
 * `shipped.2` for the second shipment, `withdrawn` and `withdrawn.2` for the withdrawal of the first and the second.
 */
export const mailSchema = z
  .string()
  .regex(/^(placed|paid|(shipped|withdrawn)(\.\d+)?|cancelled|expired|refunded\.\w+)$/);

/**
 * Why a mail wasn't sent. It couldn't be sent for a day, the mail server refused it permanently, or no customer would
 * miss it.
 */
export const UNSENT_REASONS = ['too_late', 'refused', 'outdated', 'no_verified_email'] as const;
export type UnsentReason = (typeof UNSENT_REASONS)[number];

/** Whether a customer would miss a mail that wasn't sent. The order's timeline then says so. */
export const isMissed = (reason: UnsentReason): boolean => reason === 'too_late' || reason === 'refused';
