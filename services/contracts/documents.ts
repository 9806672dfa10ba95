import type { Carrier } from './carriers.ts';
import type { Delivery, ProductDetails, ProfileFields } from './events.ts';
import type { CancelReason, RefundReason } from './reasons.ts';

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

/** A refund that is due, with its amount in poisha. */
export interface OwedRefund {
  readonly intent: string;
  readonly amount: number;
  readonly reason: RefundReason;
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
  /** absent in documents that an older version of the shop saved (see orderNumberOf) */
  readonly number?: string;
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

export interface Documents {
  order: OrderDocument;
  product: ProductDocument;
  user: UserDocument;
  review: ReviewDocument;
  mail: MailDocument;
}
export type AnyDocument = Documents[keyof Documents];
