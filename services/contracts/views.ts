import * as z from 'zod/mini';
import { carrierSchema } from './order/carriers.ts';
import { CANCEL_REASONS, PAYMENT_FAILURES } from './reasons.ts';

const isoTime = z.iso.datetime();
const nullableTime = z.nullable(isoTime);
const wholeNumber = z.number().check(z.int());
const version = wholeNumber.check(z.positive());

/** A product as clients see it. `price` is in taka, and `quantity` is the number of pieces in stock. */
export const productViewSchema = z.object({
  _id: z.string(),
  name: z.string(),
  img1: z.string(),
  img2: z.string(),
  processor: z.string(),
  gpu: z.string(),
  rated: z.string(),
  description: z.string(),
  price: z.number(),
  quantity: wholeNumber,
  minorder: wholeNumber,
  addedAt: isoTime,
  version,
});
export type ProductView = z.infer<typeof productViewSchema>;

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

export const userViewSchema = z.object({
  _id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['admin', 'customer']),
  address: z.string(),
  phone: z.string(),
  education: z.string(),
  social: z.string(),
  registeredAt: isoTime,
  version,
});
export type UserView = z.infer<typeof userViewSchema>;

export const reviewViewSchema = z.object({
  _id: z.string(),
  /** the item's name */
  name: z.string(),
  ratings: z.number(),
  username: z.string(),
  description: z.string(),
  postedAt: isoTime,
  version,
});
export type ReviewView = z.infer<typeof reviewViewSchema>;

export const viewSchemas = {
  order: orderViewSchema,
  product: productViewSchema,
  user: userViewSchema,
  review: reviewViewSchema,
  tracking: trackingViewSchema,
} as const;
export type ViewKind = keyof typeof viewSchemas;
export type Views = {
  order: OrderView;
  product: ProductView;
  user: UserView;
  review: ReviewView;
  tracking: TrackingView;
};
