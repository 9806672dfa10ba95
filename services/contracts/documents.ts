import type { CancelReason, RefundReason } from './reasons.ts';

/** What every read-model document carries. Times are ISO 8601. */
interface DocumentBase {
  readonly id: string;
  /** the version of the stream that the document was built from */
  readonly version: number;
  /** time of the stream's first event: lists are ordered by (createdAt, id), which never change (LIST1) */
  readonly createdAt: string;
}

/** A product; prices in poisha. A removed one stays as a tombstone (PRJ5). */
export interface ProductDocument extends DocumentBase {
  readonly kind: 'product';
  readonly name: string;
  readonly img1: string;
  readonly img2: string;
  readonly processor: string;
  readonly gpu: string;
  readonly rated: string;
  readonly description: string;
  readonly price: number;
  readonly quantity: number;
  readonly minorder: number;
  readonly removed: boolean;
}

/** Money that has to go back; amount in poisha. */
export interface OwedRefund {
  readonly intent: string;
  readonly amount: number;
  readonly reason: RefundReason;
  /** how many refunds of this intent have failed; absent where none has */
  readonly failures?: number;
}

/** What Stripe still has to be asked for this order (FEED2): intents that may yet be paid, refunds not yet made. */
export interface Owed {
  readonly intents: readonly string[];
  readonly refunds: readonly OwedRefund[];
}

/** An order; `price` in poisha, `total` in whole taka. A cancelled one stays as a tombstone (PRJ5). */
export interface OrderDocument extends DocumentBase {
  readonly kind: 'order';
  readonly customer: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string;
  readonly productId: string;
  readonly product: string;
  readonly quantity: number;
  readonly price: number;
  readonly total: number;
  readonly status: 'unpaid' | 'paid' | 'shipped' | 'cancelled';
  readonly transactionId: string;
  /** when an unpaid order expires; null once it cannot */
  readonly expiresAt: string | null;
  readonly paymentDeadline: string;
  readonly paidAt: string | null;
  readonly shippedAt: string | null;
  readonly cancelledAt: string | null;
  readonly cancelReason: CancelReason | null;
  readonly refundedAt: string | null;
  readonly owes: Owed;
}

/** One generation of a person. A closed one stays as a tombstone that names nobody (PRJ5). */
export interface UserDocument extends DocumentBase {
  readonly kind: 'user';
  readonly uid: string;
  readonly email: string;
  readonly name: string;
  readonly role: 'admin' | 'customer';
  readonly address: string;
  readonly phone: string;
  readonly education: string;
  readonly social: string;
  /** absent while the account is open, as it is in documents that older versions saved */
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

export interface Documents {
  order: OrderDocument;
  product: ProductDocument;
  user: UserDocument;
  review: ReviewDocument;
}
export type AnyDocument = Documents[keyof Documents];
