import type { DocumentBase } from '../document-base.ts';
import type { EventData } from '../events.ts';
import type { PaymentFailure } from '../payment/payment-failures.ts';
import type { CancelReason } from './cancel-reasons.ts';
import type { Carrier } from './carriers.ts';
import type { Delivery } from './order-draft.ts';
import type { GrantReason, RefundReason } from './order-reasons.ts';

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
/** When a report was recorded (ISO 8601); absent if a version of the shop saved it that didn't keep the time. */
type Timed = { readonly at?: string };

/**
 * What has happened to an order's payment since it was recorded. What an admin granted is kept apart from what Stripe
 * did (PAY8).
 */
export interface MoneyBack {
  readonly grants: readonly GrantedRefund[];
  readonly refunds: readonly (ReportedRefund & Timed)[];
  readonly disputes: readonly (ReportedDispute & Timed)[];
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
  /** the user id of the customer who placed the order */
  readonly customer: string;
  readonly productId: string;
  readonly product: string;
  readonly quantity: number;
  readonly price: number;
  readonly total: number;
  readonly status: 'unpaid' | 'paid' | 'shipped' | 'cancelled';
  readonly transactionId: string;
  /** when the order expires; null unless it is unpaid. Later than `paymentDeadline` while Stripe processes a payment. */
  readonly expiresAt: string | null;
  /** when the order expires if no payment is being processed. Browsers get this time as `expiresAt`. */
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
