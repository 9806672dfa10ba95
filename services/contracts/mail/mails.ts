import { z } from 'zod';

/**
 * The name of an e-mail about an order, unique within the order. `refunded.<intent>` reports that a payment was refunded
 * that the order couldn't accept, `refunded.<refund>` reports a refund of the order's payment, `shipped.2` reports the second shipment, and `withdrawn.2` reports that the second shipment was withdrawn.
 */
export const mailSchema = z
  .string()
  .regex(/^(placed|paid|(shipped|withdrawn)(\.\d+)?|cancelled|expired|refunded\.\w+)$/);

/**
 * Why an e-mail wasn't sent: sending it kept failing for a day, the mail server rejected it permanently, it was out of
 * date, or the customer has no verified e-mail address.
 */
export const UNSENT_REASONS = ['too_late', 'refused', 'outdated', 'no_verified_email'] as const;
export type UnsentReason = (typeof UNSENT_REASONS)[number];

/**
 * Returns true if the customer missed an e-mail that they should have received. The order's timeline then shows that
 * the e-mail wasn't sent.
 */
export const isMissed = (reason: UnsentReason): boolean => reason === 'too_late' || reason === 'refused';
