import { z } from 'zod';

/**
 * Which mail about an order it is; each is sent once. `refunded.<intent>` for each payment that went back, `shipped.2` for the
 * second shipment, `withdrawn` and `withdrawn.2` for what corrects these.
 */
export const mailSchema = z
  .string()
  .regex(/^(placed|paid|(shipped|withdrawn)(\.\d+)?|cancelled|expired|refunded\.\w+)$/);

/** Why a mail was not sent. Only the first is said on the order: the others are about mails that nobody misses. */
export const UNSENT_REASONS = ['too_late', 'outdated', 'no_verified_email'] as const;
export type UnsentReason = (typeof UNSENT_REASONS)[number];
