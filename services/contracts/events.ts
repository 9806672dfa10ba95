import { z } from 'zod';
import { idSchema, streamNameSchema } from './ids.ts';
import { mailSchema, UNSENT_REASONS } from './mail/mails.ts';
import { CANCEL_REASONS } from './order/cancel-reasons.ts';
import { carrierSchema, trackingNumberSchema } from './order/carriers.ts';
import { orderNumberSchema } from './order/order-number.ts';
import { GRANT_REASONS, REFUND_REASONS, REFUND_STATUSES, WITHDRAWAL_REASONS } from './order/order-reasons.ts';
import { PAYMENT_FAILURES } from './payment/payment-failures.ts';
import { CLOSE_REASONS } from './people/close-reasons.ts';

/** The value that replaces a personal field once the person's key has been erased. */
export const ERASED = 'erased';

const poisha = z.number().int().positive();
const count = z.number().int().positive();
const text = z.string();

/** A product's details, without its stock. The price is in poisha. */
export const productDetailsSchema = z.object({
  name: text,
  img1: text,
  img2: text,
  processor: text,
  gpu: text,
  rated: text,
  description: text,
  price: poisha,
  minorder: count,
});
export type ProductDetails = z.infer<typeof productDetailsSchema>;

export const deliverySchema = z.object({ name: text, email: text, phone: text, address: text });
export type Delivery = z.infer<typeof deliverySchema>;

/** `name` comes from the identity provider. The other fields come from the user. */
export const profileFieldsSchema = z.object({ name: text, address: text, phone: text, education: text, social: text });
export type ProfileFields = z.infer<typeof profileFieldsSchema>;

/**
 * A draft of an order that doesn't have its own stream yet. The draft is stored in the product's stream, and contains
 * everything that is needed to create the order's stream (ORD1). `total` is in whole taka, `price` is in poisha, and
 * times are in ISO 8601.
 */
export const orderDraftSchema = z.object({
  orderId: idSchema,
  number: orderNumberSchema,
  productId: idSchema,
  product: text,
  quantity: count,
  price: poisha,
  total: z.number().int().nonnegative(),
  placedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type OrderDraft = z.infer<typeof orderDraftSchema>;

/**
 * The unsealed data of each event type. In the log, `personal` is sealed with the key of the user whose id is `person`
 * (LOG3).
 */
export const eventDataSchemas = {
  ProductAdded: productDetailsSchema.extend({ quantity: z.number().int().nonnegative() }),
  ProductChanged: z.object({ changes: productDetailsSchema.partial() }),
  ProductRemoved: z.object({}),
  StockReduced: z.object({ draft: orderDraftSchema, person: idSchema, personal: deliverySchema }),
  StockReturned: z.object({ orderId: idSchema, quantity: count }),
  StockAdjusted: z.object({ by: z.number().int() }),
  HoldPlaced: z.object({
    holdId: text,
    orderId: idSchema,
    productId: idSchema,
    quantity: count,
    placedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  }),
  ReviewCounted: z.object({ reviewId: idSchema, at: z.iso.datetime() }),
  /** appended to a person's allowance stream before each change to a delivery, a tracking link or a profile (CMD8) */
  ChangeCounted: z.object({ at: z.iso.datetime() }),
  HoldsReleased: z.object({ holdIds: z.array(text).min(1) }),
  /** appended to the single stream of order numbers; only the process that reserved a number may assign it to an order */
  OrderNumbersReserved: z.object({ first: count, count }),
  OrderPlaced: z.object({ draft: orderDraftSchema, person: idSchema, personal: deliverySchema }),
  PaymentStarted: z.object({ intent: text, attempt: count, amount: poisha }),
  PaymentRecorded: z.object({ intent: text, amount: poisha, currency: text }),
  /** Stripe is still processing the payment. The order's stock is kept until `until`, even if its hold ends earlier (PAY7). */
  PaymentProcessing: z.object({ intent: text, until: z.iso.datetime() }),
  /** an attempt to pay failed; the customer may try again with the same payment intent */
  PaymentFailed: z.object({ intent: text, reason: z.enum(PAYMENT_FAILURES) }),
  PaymentAbandoned: z.object({ intent: text }),
  RefundDue: z.object({ intent: text, amount: poisha, currency: text, reason: z.enum(REFUND_REASONS) }),
  PaymentRefunded: z.object({ intent: text, amount: poisha, refund: text }),
  /**
   * A refund failed, so `amount` still has to be refunded. `attempt` is how many refunds of this payment intent have
   * failed so far. `failure` is the reason that Stripe gave.
   */
  RefundFailed: z.object({
    intent: text,
    amount: poisha,
    reason: z.enum(REFUND_REASONS),
    refund: text,
    attempt: count,
    failure: text,
  }),
  /** An admin decided to give back `amount` of the order's payment. `personal` is sealed with the customer's key. */
  RefundGranted: z.object({
    grant: text,
    intent: text,
    amount: poisha,
    currency: text,
    reason: z.enum(GRANT_REASONS),
    person: idSchema,
    personal: z.object({ note: text }),
  }),
  /**
   * What Stripe says about one refund of the order's payment. `grant` is null if the refund was made in Stripe's
   * dashboard. `failure` is the reason that Stripe gave if the refund failed.
   */
  RefundReported: z.object({
    refund: text,
    intent: text,
    amount: poisha,
    currency: text,
    status: z.enum(REFUND_STATUSES),
    grant: text.nullable(),
    failure: text.nullable(),
  }),
  /**
   * What Stripe says about a dispute of the order's payment. `amount` left the shop's balance if `withdrawn` is true,
   * and came back if `reinstated` is true. The payment can't be refunded while `refundable` is false.
   */
  DisputeReported: z.object({
    dispute: text,
    intent: text,
    amount: poisha,
    currency: text,
    status: text,
    withdrawn: z.boolean(),
    reinstated: z.boolean(),
    refundable: z.boolean(),
  }),
  /**
   * A balance transaction as Stripe states it, on a stream of its own (LEDGER1). `amount`, `fee` and `net` are in the
   * smallest unit of `currency`, the currency in which Stripe settles. `shown` is what the shopper saw: the amount of the
   * charge, refund or dispute that the transaction is about, negative if the money left the shop.
   */
  BalanceRecorded: z.object({
    transaction: text,
    category: text,
    amount: z.number().int(),
    fee: z.number().int(),
    net: z.number().int(),
    currency: text,
    exchangeRate: z.number().nullable(),
    source: text.nullable(),
    shown: z.object({ amount: z.number().int(), currency: text }).nullable(),
    intent: text.nullable(),
    orderId: text.nullable(),
    createdAt: z.iso.datetime(),
    availableOn: z.iso.datetime(),
  }),
  /** an admin has looked into a transaction that belongs to no order, and says what it is; an empty note takes that back */
  BalanceSetAside: z.object({ note: text }),
  /** how far Stripe's lists have been read: the ids of the newest event and balance transaction */
  StripeRead: z.object({ event: text.nullable(), transaction: text.nullable() }),
  /** the delivery fields that the customer or an admin corrected after the order was placed */
  DeliveryChanged: z.object({
    person: idSchema,
    personal: deliverySchema.pick({ phone: true, address: true }).partial(),
  }),
  /** `shippedAt` is the start of the period in which the shipment can be withdrawn. */
  OrderShipped: z.object({ shippedAt: z.iso.datetime() }),
  /**
   * `shipment` is the sequence number of the withdrawn shipment, starting at 1. After this event, the order's status is
   * 'paid' again.
   */
  ShipmentWithdrawn: z.object({ shipment: count, reason: z.enum(WITHDRAWAL_REASONS).nullable() }),
  /** the carrier and tracking number of a shipment; a later event for the same shipment overrides this one */
  ParcelRecorded: z.object({ shipment: count, carrier: carrierSchema, trackingNumber: trackingNumberSchema }),
  /**
   * Appended to an order's mail stream. Only the process that appended this event may send the e-mail before `until`.
   * `since` is the time of the event that the e-mail is about.
   */
  MailClaimed: z.object({ mail: mailSchema, since: z.iso.datetime(), until: z.iso.datetime() }),
  MailSent: z.object({ mail: mailSchema, messageId: text }),
  /**
   * appended to the order's mail stream when the shop gives up on an e-mail, and also to the order's own stream if the
   * customer should have received the e-mail
   */
  MailGivenUp: z.object({ mail: mailSchema, reason: z.enum(UNSENT_REASONS) }),
  /** `generation` is the sequence number of the order's tracking link, starting at 1 (TRACK2) */
  TrackingShared: z.object({ generation: count }),
  TrackingWithdrawn: z.object({ generation: count }),
  OrderCancelled: z.object({ reason: z.enum(CANCEL_REASONS), productId: idSchema, quantity: count }),
  UserRegistered: z.object({ uid: text, person: idSchema, personal: z.object({ email: text, name: text }) }),
  ProfileChanged: z.object({ person: idSchema, personal: profileFieldsSchema.partial() }),
  AdminGranted: z.object({}),
  AdminRevoked: z.object({}),
  /**
   * Appended to the single stream of admins when a person is added to the list of admins. A person may be granted the
   * admin role several times, and `grant` is the sequence number of the grant, starting at 1. Each grant is added to
   * the list and removed from it at most once.
   */
  AdminListed: z.object({ person: idSchema, grant: count }),
  AdminDelisted: z.object({ person: idSchema, grant: count }),
  AccountClosed: z.object({ reason: z.enum(CLOSE_REASONS) }),
  /**
   * appended to the streams of an erased person's orders and reviews, so that the documents of those streams are saved
   * again without personal data
   */
  PersonalDataErased: z.object({}),
  ErasureCompleted: z.object({}),
  ReviewPosted: z.object({
    name: text,
    ratings: z.number(),
    description: text,
    person: idSchema,
    personal: z.object({ username: text }),
  }),
} as const;

export type EventType = keyof typeof eventDataSchemas;
export type EventData<T extends EventType> = z.infer<(typeof eventDataSchemas)[T]>;

export type DomainEvent<T extends EventType = EventType> = { [K in T]: { type: K; data: EventData<K> } }[T];

/**
 * The newest schema version of each event type. A type that isn't listed has version 1. No released version of the shop
 * wrote version 1 of the types that are listed.
 */
export const SCHEMA_VERSIONS: Partial<Record<EventType, number>> = { StockReduced: 2, OrderPlaced: 2 };

/**
 * `personal` as stored in the log: the names of the fields, and their values in one AES-256-GCM box (base64 of nonce,
 * tag and ciphertext).
 */
export const sealedSchema = z.object({ fields: z.array(z.string()), box: z.string() });
export type Sealed = z.infer<typeof sealedSchema>;

/** The CloudEvents 1.0 attributes and our extensions. */
export const eventAttributesSchema = z.object({
  id: z.string().min(1),
  source: z.string().min(1),
  type: z.string().min(1),
  subject: streamNameSchema,
  /** ISO 8601 time at which the command was sent */
  time: z.iso.datetime(),
  /** the event's position in its stream, counted from 1 without gaps */
  streamversion: z.number().int().positive(),
  schemaversion: z.number().int().positive(),
  /** identifies, within the stream, the command that produced the event, e.g. `place:<orderId>` */
  cause: z.string().min(1),
  correlationid: z.string().min(1),
  /** a user id, or `system:<policy>` */
  actor: z.string().min(1),
});
export type EventAttributes = z.infer<typeof eventAttributesSchema>;

/** An event as stored in the log and sent on the feed. Its personal data is still sealed, and `data` isn't parsed yet. */
export const storedEventSchema = eventAttributesSchema.extend({
  data: z.record(z.string(), z.unknown()),
});
export type StoredEvent = z.infer<typeof storedEventSchema>;

export type RecordedEvent<T extends EventType = EventType> = Omit<EventAttributes, 'type'> & DomainEvent<T>;
