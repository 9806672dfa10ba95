import type { Carrier } from './carriers.ts';
import type { Delivery, ProductDetails, ProfileFields } from './events.ts';
import type { CancelReason, RefundReason } from './reasons.ts';

interface DocumentBase {
  readonly id: string;
  readonly version: number;
  /** time of the stream's first event; lists are ordered by (createdAt, id), which never change (LIST1) */
  readonly createdAt: string;
}

/** A product; prices in poisha. A removed one stays as a tombstone (PRJ5). */
export interface ProductDocument extends DocumentBase, Readonly<ProductDetails> {
  readonly kind: 'product';
  readonly quantity: number;
  readonly removed: boolean;
}

/** Money to give back; amount in poisha. */
export interface OwedRefund {
  readonly intent: string;
  readonly amount: number;
  readonly reason: RefundReason;
  /** failed refunds of this intent; absent for none */
  readonly failures?: number;
}

/** What is still to be done at Stripe for an order (FEED2): intents that may yet be paid, refunds not yet made. */
export interface Owed {
  readonly intents: readonly string[];
  readonly refunds: readonly OwedRefund[];
}

/** An order's tracking link: the number of the present or next one, and whether it is given out (TRACK2). */
export interface Tracking {
  readonly generation: number;
  readonly shared: boolean;
}

export const NEVER_SHARED: Tracking = { generation: 1, shared: false };

/** Who carries an order's present shipment. */
export interface Parcel {
  readonly carrier: Carrier;
  readonly trackingNumber: string;
}

/** An order; `price` in poisha, `total` in whole taka. A cancelled one stays as a tombstone (PRJ5). */
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
  /** absent in documents that an older version saved (orderNumberOf) */
  readonly number?: string;
  /** absent while phone and address are as they were placed */
  readonly deliveryChangedAt?: string;
  /** how often it was shipped; absent while no shipment was withdrawn, so of an order that is shipped it is 1 then */
  readonly shipments?: number;
  /** null once its shipment was withdrawn; absent while none was ever recorded */
  readonly parcel?: Parcel | null;
  /** absent while it was never shared */
  readonly tracking?: Tracking;
}

/** One generation of a person. A closed one stays as a tombstone that names nobody (PRJ5). */
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

/** One mail about an order. */
export interface MailOfOrder {
  readonly mail: string;
  readonly status: 'claimed' | 'sent' | 'given_up';
  /** how often it was claimed */
  readonly claims: number;
  /** time of the event that it tells of */
  readonly since: string;
  /** until when it is the claimant's to send */
  readonly until: string;
  /** time of the mail's last event */
  readonly at: string;
}

/** The mails about an order, whose id it has. Nobody is pushed it, and it holds no personal data. */
export interface MailDocument extends DocumentBase {
  readonly kind: 'mail';
  readonly mails: readonly MailOfOrder[];
  /** the earliest end of a claim whose mail is neither sent nor given up; null where none is open */
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
