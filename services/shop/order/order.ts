import type { ErasePersonalData } from '../../contracts/decider.ts';
import type { EventData, RecordedEvent } from '../../contracts/events.ts';
import type { UnsentReason } from '../../contracts/mail/mails.ts';
import type { OrderDocument, Parcel, ReportedDispute, ReportedRefund } from '../../contracts/order/order-document.ts';
import type { Delivery, OrderDraft } from '../../contracts/order/order-draft.ts';
import type { GrantReason, RefundReason, WithdrawalReason } from '../../contracts/order/order-reasons.ts';
import type { PaymentFailure } from '../../contracts/payment/payment-failures.ts';
import { ERASED_DELIVERY, projectOrder } from './project-order.ts';

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

/** What decisions need in addition to the order's document. */
interface ForDecisions {
  readonly intents: readonly IntentState[];
  /** how many failed attempts to pay are recorded */
  readonly failedAttempts: number;
  /** true once the customer's personal data has been erased */
  readonly erased: boolean;
}

/** An order's document, without the personal data, and what only decisions need. */
export type KnownOrder = Omit<OrderDocument, keyof Delivery> & ForDecisions;

/**
 * An order goes from unpaid to paid to shipped, or from unpaid to cancelled. If its shipment is withdrawn, the order
 * goes back to paid. A paid order is cancelled only if all of its money goes back, or if it can
 * never be shipped (ORD4).
 */
export type OrderState = { readonly status: 'absent' } | KnownOrder;

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

export const initialOrderState: OrderState = { status: 'absent' };

const NEW_ORDER: ForDecisions = { intents: [], failedAttempts: 0, erased: false };

export function evolveOrder(state: OrderState, event: RecordedEvent): OrderState {
  const before = state.status === 'absent' ? null : state;
  const document = projectOrder(before as OrderDocument | null, event);
  // The personal data of an event that was just decided is still open.
  return document === null ? state : { ...document, ...ERASED_DELIVERY, ...forDecisions(before ?? NEW_ORDER, event) };
}

function forDecisions({ intents, failedAttempts, erased }: ForDecisions, event: RecordedEvent): ForDecisions {
  switch (event.type) {
    case 'PaymentFailed':
      return { intents, failedAttempts: failedAttempts + 1, erased };
    case 'PersonalDataErased':
      return { intents, failedAttempts, erased: true };
    default:
      return { intents: intentsAfter(intents, event), failedAttempts, erased };
  }
}

function intentsAfter(intents: readonly IntentState[], event: RecordedEvent): readonly IntentState[] {
  switch (event.type) {
    case 'PaymentStarted':
      return withIntent(intents, event.data.intent, { status: 'open', attempt: event.data.attempt });
    case 'PaymentRecorded':
      return withIntent(intents, event.data.intent, { status: 'paid' });
    case 'PaymentAbandoned':
      return withIntent(intents, event.data.intent, { status: 'abandoned' });
    case 'RefundDue': {
      const { intent, amount, reason } = event.data;
      return withIntent(intents, intent, { status: 'refund_due', due: { amount, reason } });
    }
    case 'PaymentRefunded':
      return withIntent(intents, event.data.intent, { status: 'refunded' });
    case 'RefundFailed': {
      const { intent, refund } = event.data;
      const failedRefunds = [...(intentOf({ intents }, intent)?.failedRefunds ?? []), refund];
      return withIntent(intents, intent, { status: 'refund_due', failedRefunds });
    }
    default:
      return intents;
  }
}

/** A payment intent whose start wasn't recorded gets attempt number 0. */
function withIntent(intents: readonly IntentState[], intent: string, change: Partial<IntentState>): IntentState[] {
  const unknown: IntentState = { intent, attempt: 0, status: 'open', due: null, failedRefunds: [] };
  const others = intents.filter((one) => one.intent !== intent);
  return [...others, { ...(intentOf({ intents }, intent) ?? unknown), ...change }];
}

export function intentOf(state: Pick<KnownOrder, 'intents'>, intent: string): IntentState | undefined {
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
