import type { Delivery, EventData, ProductDetails, ProfileFields } from './events.ts';
import type { Carrier } from './order/carriers.ts';
import type { GrantReason, RefundReason } from './order/order-reasons.ts';
import type { CancelReason, PaymentFailure } from './reasons.ts';

interface DocumentBase {
  readonly id: string;
  readonly version: number;
  /** The time of the stream's first event. Lists are sorted by (createdAt, id), and neither field ever changes (LIST1). */
  readonly createdAt: string;
}

/** A product, with its price in poisha. A removed product stays as a tombstone (PRJ5). */
export interface ProductDocument extends DocumentBase, Readonly<ProductDetails> {
  readonly kind: 'product';
  readonly quantity: number;
  readonly removed: boolean;
}

/** A refund that an admin granted, with its amount in poisha. */
export interface GrantedRefund {
  readonly grant: string;
  readonly intent: string;
  readonly amount: number;
  readonly reason: GrantReason;
}

/** A refund of an order's payment, as Stripe last reported it. */
export type ReportedRefund = EventData<'RefundReported'>;
/** A dispute of an order's payment, as Stripe last reported it. */
export type ReportedDispute = EventData<'DisputeReported'>;

/**
 * What has happened to an order's payment since it was recorded. What an admin granted is kept apart from what Stripe
 * did (PAY8).
 */
export interface MoneyBack {
  readonly grants: readonly GrantedRefund[];
  readonly refunds: readonly ReportedRefund[];
  readonly disputes: readonly ReportedDispute[];
}

/**
 * A refund that is due, with its amount in poisha. The reason is 'granted' if an admin granted the refund, or if it was
 * made in Stripe's dashboard and isn't complete yet.
 */
export interface OwedRefund {
  readonly intent: string;
  readonly amount: number;
  readonly reason: RefundReason | 'granted';
  /** the number of failed refunds of this payment intent; absent if none failed */
  readonly failures?: number;
}

/**
 * What remains to be done in Stripe for an order (FEED2): `intents` are payment intents that may still be paid, and
 * `refunds` are refunds that are still owed.
 */
export interface Owed {
  readonly intents: readonly string[];
  readonly refunds: readonly OwedRefund[];
}

/**
 * An order's tracking link (TRACK2). An order can have several links over time, numbered from 1. `generation` is the
 * number of the shared link or, if no link is shared, the number of the next one.
 */
export interface Tracking {
  readonly generation: number;
  readonly shared: boolean;
}

export const NEVER_SHARED: Tracking = { generation: 1, shared: false };

/** The carrier and tracking number of an order's current shipment. */
export interface Parcel {
  readonly carrier: Carrier;
  readonly trackingNumber: string;
}

/** An order, with `price` in poisha and `total` in whole taka. A cancelled order stays as a tombstone (PRJ5). */
export interface OrderDocument extends DocumentBase, Readonly<Delivery> {
  readonly kind: 'order';
  readonly customer: string;
  readonly productId: string;
  readonly product: string;
  readonly quantity: number;
  readonly price: number;
  readonly total: number;
  readonly status: 'unpaid' | 'paid' | 'shipped' | 'cancelled';
  readonly transactionId: string;
  readonly expiresAt: string | null;
  readonly paymentDeadline: string;
  readonly paidAt: string | null;
  readonly shippedAt: string | null;
  readonly cancelledAt: string | null;
  readonly cancelReason: CancelReason | null;
  readonly refundedAt: string | null;
  readonly owes: Owed;
  readonly number: string;
  /** absent until the phone number or address is first corrected */
  readonly deliveryChangedAt?: string;
  /**
   * How many times the order has been shipped. The field is absent until a shipment is first withdrawn. A shipped order
   * without the field has been shipped once.
   */
  readonly shipments?: number;
  /** absent until a parcel is first recorded; null once the shipment that the parcel belongs to has been withdrawn */
  readonly parcel?: Parcel | null;
  /** absent until the tracking link is first shared */
  readonly tracking?: Tracking;
  /** the payment that Stripe is still processing, and until when the order waits for it; null or absent if there is none */
  readonly processing?: { readonly intent: string; readonly until: string } | null;
  /** why the latest attempt to pay failed; null once the order is paid, absent if no attempt failed */
  readonly paymentFailure?: PaymentFailure | null;
  /** absent until any of the payment is given back or disputed */
  readonly moneyBack?: MoneyBack;
  /** The part of `total` that the shop keeps, in taka with up to two decimals. Absent if the shop keeps all of it. */
  readonly kept?: number;
}

/**
 * A person's account. Anyone who signs in with the e-mail address of a closed account gets a new account with a new
 * user id (LOG3). The closed account's document stays as a tombstone without personal data (PRJ5).
 */
export interface UserDocument extends DocumentBase, Readonly<ProfileFields> {
  readonly kind: 'user';
  readonly uid: string;
  readonly email: string;
  readonly role: 'admin' | 'customer';
  /** absent while the account is open */
  readonly closed?: true;
}

export interface ReviewDocument extends DocumentBase {
  readonly kind: 'review';
  readonly author: string;
  readonly name: string;
  readonly ratings: number;
  readonly username: string;
  readonly description: string;
}

/** One e-mail about an order. */
export interface MailOfOrder {
  readonly mail: string;
  readonly status: 'claimed' | 'sent' | 'given_up';
  /** how many times the e-mail has been claimed */
  readonly claims: number;
  /** time of the event that the e-mail is about */
  readonly since: string;
  /** until this time, only the process that claimed the e-mail may send it */
  readonly until: string;
  /** the time of the last change: when the e-mail was claimed, sent or given up on */
  readonly at: string;
}

/** The document that tracks the e-mails about an order. It has the same id as the order, contains no personal data and is never pushed. */
export interface MailDocument extends DocumentBase {
  readonly kind: 'mail';
  readonly mails: readonly MailOfOrder[];
  /** when the earliest open claim expires; null if every e-mail has been sent or given up on */
  readonly claimedUntil: string | null;
}

/**
 * A balance transaction as Stripe states it (LEDGER1). `createdAt` is the time that Stripe gives. Contains no personal
 * data.
 */
export interface BalanceDocument extends DocumentBase, Readonly<Omit<EventData<'BalanceRecorded'>, 'createdAt'>> {
  readonly kind: 'balance';
  /** what an admin wrote about a transaction that belongs to no order; '' if nobody did */
  readonly aside: string;
}

export interface Documents {
  order: OrderDocument;
  product: ProductDocument;
  user: UserDocument;
  review: ReviewDocument;
  mail: MailDocument;
  balance: BalanceDocument;
}
export type AnyDocument = Documents[keyof Documents];
