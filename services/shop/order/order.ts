import type { ErasePersonalData } from '../../contracts/decider.ts';
import { NEVER_SHARED, type Tracking } from '../../contracts/documents.ts';
import type { Delivery, DomainEvent, EventData, OrderDraft } from '../../contracts/events.ts';
import type { UnsentReason } from '../../contracts/mails.ts';
import type { CancelReason, RefundReason } from '../../contracts/reasons.ts';

export interface IntentState {
  readonly intent: string;
  readonly attempt: number;
  readonly status: 'open' | 'paid' | 'abandoned' | 'refund_due' | 'refunded';
  /** what to give back, in poisha; kept when it is given back, since a refund may still fail */
  readonly due: { readonly amount: number; readonly reason: RefundReason } | null;
  /** ids of failed refunds, oldest first */
  readonly failedRefunds: readonly string[];
}

interface KnownOrder {
  readonly draft: OrderDraft;
  readonly customer: string;
  readonly intents: readonly IntentState[];
  readonly tracking: Tracking;
}

/** unpaid -> paid -> shipped, or unpaid -> cancelled (ORD4) */
export type OrderState =
  | { readonly status: 'absent' }
  | (KnownOrder & { readonly status: 'unpaid' | 'paid' | 'shipped' })
  | (KnownOrder & { readonly status: 'cancelled'; readonly reason: CancelReason });

export type OrderCommand =
  | { readonly type: 'PlaceOrder'; readonly draft: OrderDraft; readonly customer: string; readonly delivery: Delivery }
  | { readonly type: 'CancelOrder' }
  | { readonly type: 'ExpireOrder'; readonly now: string }
  | { readonly type: 'StartPayment'; readonly intent: string; readonly attempt: number; readonly amount: number }
  | { readonly type: 'SettlePayment'; readonly intent: string; readonly amount: number; readonly currency: string }
  | { readonly type: 'AbandonPayment'; readonly intent: string }
  | { readonly type: 'RecordRefund'; readonly intent: string; readonly amount: number; readonly refund: string }
  | { readonly type: 'RecordFailedRefund'; readonly intent: string; readonly refund: string; readonly failure: string }
  | { readonly type: 'ChangeDelivery'; readonly changes: EventData<'DeliveryChanged'>['personal'] }
  | { readonly type: 'ShipOrder' }
  | { readonly type: 'NoteUnsentMail'; readonly mail: string; readonly reason: UnsentReason }
  | { readonly type: 'ShareTracking' }
  | { readonly type: 'WithdrawTracking' }
  | ErasePersonalData;

export const initialOrderState: OrderState = { status: 'absent' };

export function evolveOrder(state: OrderState, event: DomainEvent): OrderState {
  if (event.type === 'OrderPlaced') {
    const { draft, person: customer } = event.data;
    return { status: 'unpaid', draft, customer, intents: [], tracking: NEVER_SHARED };
  }
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'PaymentStarted':
      return withIntent(state, event.data.intent, { status: 'open', attempt: event.data.attempt });
    case 'PaymentRecorded':
      return { ...withIntent(state, event.data.intent, { status: 'paid' }), status: 'paid' };
    case 'PaymentAbandoned':
      return withIntent(state, event.data.intent, { status: 'abandoned' });
    case 'RefundDue': {
      const { intent, amount, reason } = event.data;
      return withIntent(state, intent, { status: 'refund_due', due: { amount, reason } });
    }
    case 'PaymentRefunded':
      return withIntent(state, event.data.intent, { status: 'refunded' });
    case 'RefundFailed': {
      const { intent, refund } = event.data;
      const failedRefunds = [...(intentOf(state, intent)?.failedRefunds ?? []), refund];
      return withIntent(state, intent, { status: 'refund_due', failedRefunds });
    }
    case 'OrderShipped':
      return { ...state, status: 'shipped' };
    case 'TrackingShared':
    case 'TrackingWithdrawn':
      return { ...state, tracking: trackingAfter(event) };
    case 'OrderCancelled':
      return { ...state, status: 'cancelled', reason: event.data.reason };
    default:
      return state;
  }
}

/** A withdrawn link is not given out again: the next one has the next generation. */
export function trackingAfter({ type, data }: DomainEvent<'TrackingShared' | 'TrackingWithdrawn'>): Tracking {
  const { generation } = data;
  return type === 'TrackingShared' ? { generation, shared: true } : { generation: generation + 1, shared: false };
}

/** An intent that was never started here gets attempt 0. */
function withIntent<S extends KnownOrder>(state: S, intent: string, change: Partial<IntentState>): S {
  const unknown: IntentState = { intent, attempt: 0, status: 'open', due: null, failedRefunds: [] };
  const known = intentOf(state, intent) ?? unknown;
  const others = state.intents.filter((one) => one.intent !== intent);
  return { ...state, intents: [...others, { ...known, ...change }] };
}

export function intentOf(state: KnownOrder, intent: string): IntentState | undefined {
  return state.intents.find((one) => one.intent === intent);
}

/** There is at most one (PAY2). */
export function openIntent(state: KnownOrder): IntentState | undefined {
  return state.intents.find((one) => one.status === 'open');
}

/** Names the next intent at Stripe, so it never repeats within an order. */
export function nextAttempt(state: KnownOrder): number {
  return Math.max(0, ...state.intents.map((one) => one.attempt)) + 1;
}
