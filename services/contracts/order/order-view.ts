import * as z from 'zod/mini';
import { PAYMENT_FAILURES } from '../payment/payment-failures.ts';
import { isoTime, nullableTime, version, wholeNumber } from '../view-fields.ts';
import { CANCEL_REASONS } from './cancel-reasons.ts';
import { carrierSchema } from './carriers.ts';

/**
 * An order is unpaid until `paid` is true, and shipped once `status` is 'shipped'. `price` is the unit price in taka,
 * and `totalPrice` is in whole taka.
 */
export const orderViewSchema = z.object({
  _id: z.string(),
  /** the number that people use for the order, such as `MC-1042` */
  number: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  address: z.string(),
  product: z.string(),
  productId: z.string(),
  quantity: wholeNumber,
  price: z.number(),
  totalPrice: wholeNumber,
  paid: z.boolean(),
  /** the id of the payment intent that paid for the order; '' while the order is unpaid */
  transactionId: z.string(),
  status: z.enum(['', 'shipped']),
  placedAt: isoTime,
  /** when the order expires if it's still unpaid */
  expiresAt: isoTime,
  paidAt: nullableTime,
  shippedAt: nullableTime,
  cancelledAt: nullableTime,
  cancelReason: z.nullable(z.enum(CANCEL_REASONS)),
  refundedAt: nullableTime,
  /** when the phone number or address was last corrected */
  deliveryChangedAt: nullableTime,
  /** the sequence number of the current shipment, starting at 1; null unless the order is shipped */
  shipment: z.nullable(wholeNumber),
  /** a key of CARRIERS; null while the carrier is unknown */
  carrier: z.nullable(carrierSchema),
  trackingNumber: z.nullable(z.string()),
  /** until when the order waits for a payment that is being processed; absent if no payment is */
  processingUntil: z.optional(isoTime),
  /** why the latest attempt to pay failed; absent once the order is paid */
  paymentFailure: z.optional(z.enum(PAYMENT_FAILURES)),
  /** what was given back, what is granted or on its way, and what can still be granted, in taka; absent if none was granted */
  moneyBack: z.optional(z.object({ returned: z.number(), returning: z.number(), left: z.number() })),
  /** why a paid order can't be shipped: its money went back, a bank took it, it is lost to a dispute, or the order has no address; absent if it can */
  heldBack: z.optional(z.enum(['refunded', 'disputed', 'lost', 'erased'])),
  version,
});
export type OrderView = z.infer<typeof orderViewSchema>;
