import { z } from 'zod';

/**
 * Which mail about an order it is; each is sent once. `refunded.<intent>` for each payment that went back, `shipped.2` for the
 * second shipment, `withdrawn` and `withdrawn.2` for what corrects these.
 */
export const mailSchema = z
  .string()
  .regex(/^(placed|paid|(shipped|withdrawn)(\.\d+)?|cancelled|expired|refunded\.\w+)$/);

/** Why a mail was not sent: none could leave for a day, the mail server refused it for good, or nobody misses it. */
export const UNSENT_REASONS = ['too_late', 'refused', 'outdated', 'no_verified_email'] as const;
export type UnsentReason = (typeof UNSENT_REASONS)[number];

/** Whether a customer would miss a mail that wasn't sent. The order's timeline then says so. */
export const isMissed = (reason: UnsentReason): boolean => reason === 'too_late' || reason === 'refused';
