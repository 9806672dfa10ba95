import * as z from 'zod/mini';
import { carrierSchema } from '../order/carriers.ts';
import { isoTime, nullableTime, version, wholeNumber } from '../view-fields.ts';

/** An order as shown by its tracking link, without customer or payment details (TRACK1). `_id` is the order's id. */
export const trackingViewSchema = z.object({
  _id: z.string(),
  number: z.string(),
  product: z.string(),
  /** '' if the product has no image */
  img1: z.string(),
  quantity: wholeNumber,
  status: z.enum(['placed', 'confirmed', 'shipped', 'cancelled']),
  placedAt: isoTime,
  confirmedAt: nullableTime,
  shippedAt: nullableTime,
  cancelledAt: nullableTime,
  /** a key of CARRIERS; null until the shop records the carrier */
  carrier: z.nullable(carrierSchema),
  trackingNumber: z.nullable(z.string()),
  version,
});
export type TrackingView = z.infer<typeof trackingViewSchema>;
