import type { ErasePersonalData } from '../../contracts/decider.ts';
import type { DomainEvent, EventData } from '../../contracts/events.ts';
import type { UnsentReason } from '../../contracts/mail/mails.ts';
import { toPoisha } from '../../contracts/money.ts';
import type { CancelReason } from '../../contracts/order/cancel-reasons.ts';
import {
  type MoneyBack,
  NEVER_SHARED,
  type Parcel,
  type ReportedDispute,
  type ReportedRefund,
  type Tracking,
} from '../../contracts/order/order-document.ts';
import type { Delivery, OrderDraft } from '../../contracts/order/order-draft.ts';
import type { GrantReason, RefundReason, WithdrawalReason } from '../../contracts/order/order-reasons.ts';
import type { PaymentFailure } from '../../contracts/payment/payment-failures.ts';
import { moneyBackAfter, NO_MONEY_BACK, type Payment } from './money-of-order.ts';

export interface IntentState {
  readonly intent: string;
  readonly attempt: number;
  readonly status: 'open' | 'paid' | 'abandoned' | 'refund_due' | 'refunded';
  /**
   * The amount to refund, in poisha, and the reason for the refund. Both are kept after the refund, because a refund
   * can still fail later.
   */
  readonly due: { readonly amount: number; readonly reason: RefundReason } | null;
  /** ids of failed refunds, oldest first */
  readonly failedRefunds: readonly string[];
}

interface KnownOrder extends MoneyBack {
  readonly draft: OrderDraft;
  readonly customer: string;
  readonly intents: readonly IntentState[];
  /** the open payment intent that Stripe is still processing, and until when the order waits for it; null if there is none */
  readonly processing: { readonly intent: string; readonly until: string } | null;
  /** how many failed attempts to pay are recorded */
  readonly failedAttempts: number;
  readonly tracking: Tracking;
  /** the number of shipments, including withdrawn ones */
  readonly shipments: number;
  /** the time of the current shipment; null if there is none */
  readonly shippedAt: string | null;
  readonly parcel: Parcel | null;
  /** true once the customer's personal data has been erased */
  readonly erased: boolean;
}

/**
 * An order goes from unpaid to paid to shipped, or from unpaid to cancelled. If its shipment is withdrawn, the order
 * goes back to paid. A paid order is cancelled only if all of its money goes back (ORD4).
 */
export type OrderState =
  | { readonly status: 'absent' }
  | (KnownOrder & { readonly status: 'unpaid' | 'paid' | 'shipped' })
  | (KnownOrder & { readonly status: 'cancelled'; readonly reason: CancelReason });

export type OrderCommand =
  | { readonly type: 'PlaceOrder'; readonly draft: OrderDraft; readonly userId: string; readonly delivery: Delivery }
  /** `by` is absent if the customer cancels the order or deletes the account */
  | { readonly type: 'CancelOrder'; readonly by?: 'admin' }
  | { readonly type: 'ExpireOrder'; readonly now: string }
  | { readonly type: 'StartPayment'; readonly intent: string; readonly attempt: number; readonly amount: number }
  | { readonly type: 'SettlePayment'; readonly intent: string; readonly amount: number; readonly currency: string }
  /** Stripe is processing the payment. The order waits for it until `until` (ISO 8601). */
  | { readonly type: 'NoteProcessing'; readonly intent: string; readonly until: string }
  /** one attempt to pay failed; each attempt has a `cause` of its own */
  | { readonly type: 'NoteFailedAttempt'; readonly intent: string; readonly reason: PaymentFailure }
  | { readonly type: 'AbandonPayment'; readonly intent: string }
  /**
   * Gives back `amount` poisha of the payment. If `seen` is set, the order must still be at that version. If
   * `cancels` is set, the order is cancelled as well.
   */
  | {
      readonly type: 'GrantRefund';
      readonly grant: string;
      readonly amount: number;
      readonly reason: GrantReason;
      readonly note: string;
      readonly seen?: number;
      readonly cancels: boolean;
    }
  | { readonly type: 'ReportRefund'; readonly reported: ReportedRefund }
  | { readonly type: 'ReportDispute'; readonly reported: ReportedDispute }
  | { readonly type: 'RecordRefund'; readonly intent: string; readonly amount: number; readonly refund: string }
  | { readonly type: 'RecordFailedRefund'; readonly intent: string; readonly refund: string; readonly failure: string }
  | { readonly type: 'ChangeDelivery'; readonly changes: EventData<'DeliveryChanged'>['personal'] }
  /** `seen` is the version of the order that the admin saw. If `seen` is set, only that version may be shipped (ORD10). */
  | { readonly type: 'ShipOrder'; readonly now: string; readonly seen?: number; readonly parcel?: Parcel }
  | {
      readonly type: 'WithdrawShipment';
      readonly shipment: number;
      readonly reason: WithdrawalReason | null;
      readonly now: string;
    }
  | { readonly type: 'RecordParcel'; readonly parcel: Parcel }
  | { readonly type: 'NoteUnsentMail'; readonly mail: string; readonly reason: UnsentReason }
  | { readonly type: 'ShareTracking' }
  | { readonly type: 'WithdrawTracking' }
  /**
   * `evenIfPaid` is set if the customer's encryption key has already been deleted. In that case, nobody can read the
   * order's address anyway.
   */
  | (ErasePersonalData & { readonly evenIfPaid?: boolean });

const NEW_ORDER = {
  intents: [],
  processing: null,
  failedAttempts: 0,
  ...NO_MONEY_BACK,
  tracking: NEVER_SHARED,
  shipments: 0,
  shippedAt: null,
  parcel: null,
  erased: false,
} as const;

export const initialOrderState: OrderState = { status: 'absent' };

export function evolveOrder(state: OrderState, event: DomainEvent): OrderState {
  if (event.type === 'OrderPlaced') {
    const { draft, person: customer } = event.data;
    return { status: 'unpaid', draft, customer, ...NEW_ORDER };
  }
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'PaymentStarted':
      return withIntent(state, event.data.intent, { status: 'open', attempt: event.data.attempt });
    case 'PaymentRecorded':
      return { ...ended(state, event.data.intent, { status: 'paid' }), status: 'paid' };
    case 'PaymentProcessing':
      return { ...state, processing: event.data };
    case 'PaymentFailed':
      return { ...state, processing: null, failedAttempts: state.failedAttempts + 1 };
    case 'PaymentAbandoned':
      return ended(state, event.data.intent, { status: 'abandoned' });
    case 'RefundDue': {
      const { intent, amount, reason } = event.data;
      return ended(state, intent, { status: 'refund_due', due: { amount, reason } });
    }
    case 'PaymentRefunded':
      return withIntent(state, event.data.intent, { status: 'refunded' });
    case 'RefundFailed': {
      const { intent, refund } = event.data;
      const failedRefunds = [...(intentOf(state, intent)?.failedRefunds ?? []), refund];
      return withIntent(state, intent, { status: 'refund_due', failedRefunds });
    }
    case 'RefundGranted':
    case 'RefundReported':
    case 'DisputeReported':
      return moneyBackAfter(state, event);
    case 'OrderShipped':
      return {
        ...state,
        status: 'shipped',
        shipments: state.shipments + 1,
        shippedAt: event.data.shippedAt,
        parcel: null,
      };
    case 'ShipmentWithdrawn':
      return { ...state, status: 'paid', shippedAt: null, parcel: null };
    case 'ParcelRecorded':
      return { ...state, parcel: parcelOf(event) };
    case 'PersonalDataErased':
      return { ...state, erased: true };
    case 'TrackingShared':
    case 'TrackingWithdrawn':
      return { ...state, tracking: trackingAfter(event) };
    case 'OrderCancelled':
      return { ...state, status: 'cancelled', reason: event.data.reason };
    default:
      return state;
  }
}

export function parcelOf({ data: { carrier, trackingNumber } }: DomainEvent<'ParcelRecorded'>): Parcel {
  return { carrier, trackingNumber };
}

/**
 * `generation` is the number of the order's tracking link. It goes up by one when a link is withdrawn, so the same link
 * is never issued again.
 */
export function trackingAfter({ type, data }: DomainEvent<'TrackingShared' | 'TrackingWithdrawn'>): Tracking {
  const { generation } = data;
  return type === 'TrackingShared' ? { generation, shared: true } : { generation: generation + 1, shared: false };
}

/** A payment intent whose start wasn't recorded gets attempt number 0. */
function withIntent<S extends KnownOrder>(state: S, intent: string, change: Partial<IntentState>): S {
  const unknown: IntentState = { intent, attempt: 0, status: 'open', due: null, failedRefunds: [] };
  const known = intentOf(state, intent) ?? unknown;
  const others = state.intents.filter((one) => one.intent !== intent);
  return { ...state, intents: [...others, { ...known, ...change }] };
}

/** Changes a payment intent that has ended, so that the order no longer waits for it. */
function ended<S extends KnownOrder>(state: S, intent: string, change: Partial<IntentState>): S {
  const changed = withIntent(state, intent, change);
  return state.processing?.intent === intent ? { ...changed, processing: null } : changed;
}

/** Returns when an unpaid order expires: when its hold ends, or later if Stripe is still processing a payment (PAY7). */
export function deadlineOf({ draft, processing }: KnownOrder): string {
  return processing !== null && processing.until > draft.expiresAt ? processing.until : draft.expiresAt;
}

/** Returns the id of the payment intent that paid for the order, or undefined if the order was never paid. */
export function paidIntent({ intents }: KnownOrder): string | undefined {
  return intents.find(({ status }) => status === 'paid')?.intent;
}

/** Returns the order's payment. An order accepts only a payment of its total (PAY4). */
export function paymentOf(state: KnownOrder): Payment {
  const intent = paidIntent(state);
  return { intent, paid: intent === undefined ? 0 : toPoisha(state.draft.total) };
}

export function intentOf(state: KnownOrder, intent: string): IntentState | undefined {
  return state.intents.find((one) => one.intent === intent);
}

/** Returns the order's open payment intent. There is at most one (PAY2). */
export function openIntent(state: KnownOrder): IntentState | undefined {
  return state.intents.find((one) => one.status === 'open');
}

/**
 * Returns the number of the next payment attempt. The number never repeats within an order, because it's part of the
 * idempotency key sent to Stripe.
 */
export function nextAttempt(state: KnownOrder): number {
  return Math.max(0, ...state.intents.map((one) => one.attempt)) + 1;
}
