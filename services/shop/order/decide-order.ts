import {
  accept,
  type Decider,
  type Decision,
  type DecisionContext,
  NOTHING_TO_DO,
  refuse,
  unreachable,
} from '../../contracts/decider.ts';
import type { DomainEvent } from '../../contracts/events.ts';
import { CURRENCY, toPoisha } from '../../contracts/money.ts';
import type { CancelReason } from '../../contracts/order/cancel-reasons.ts';
import { NEVER_SHARED, type Parcel } from '../../contracts/order/order-document.ts';
import type { RefundReason } from '../../contracts/order/order-reasons.ts';
import { grantRefund, isNeverShipped, owesMoney, reportDispute, reportRefund, whyNotShipped } from './decide-refund.ts';
import {
  evolveOrder,
  initialOrderState,
  intentOf,
  type KnownOrder,
  nextAttempt,
  type OrderCommand,
  type OrderState,
  openIntent,
} from './order.ts';
import { shipmentsOf } from './project-order.ts';

type Command<Type extends OrderCommand['type']> = Extract<OrderCommand, { type: Type }>;

/**
 * For this many ms after an order ships, its shipment can be withdrawn without a reason. The customer is e-mailed about
 * the shipment only after that time (MAIL3).
 */
export const UNDONE_WITHIN_MS = 30_000;
/** For this many ms after an order ships, its shipment can be withdrawn if a reason is given. */
const WITHDRAWN_WITHIN_MS = 15 * 60_000;

export const orderDecider: Decider<OrderState, OrderCommand> = {
  kind: 'order',
  initialState: initialOrderState,
  opening: 'bare',
  evolve: evolveOrder,
  decide(command, state, context) {
    if (command.type === 'PlaceOrder') return place(command, state);
    if (state.status === 'absent') return refuse({ code: 'not_found' });
    const { id: orderId } = state;
    switch (command.type) {
      case 'CancelOrder':
        if (state.status === 'cancelled') return NOTHING_TO_DO;
        return state.status === 'unpaid' || (command.by === 'admin' && isNeverShipped(state))
          ? accept(cancelled(state, command.by ?? 'customer'))
          : refuse({ code: 'order_paid', orderId });
      case 'ExpireOrder':
        return state.expiresAt !== null && command.now >= state.expiresAt
          ? accept(cancelled(state, 'expired'))
          : NOTHING_TO_DO;
      case 'StartPayment':
        return startPayment(command, state);
      case 'SettlePayment':
        return settle(command, state);
      case 'NoteProcessing':
        return noteProcessing(command, state);
      case 'NoteFailedAttempt':
        return noteFailedAttempt(command, state, context);
      case 'GrantRefund':
        return grantRefund(command, state, context);
      case 'ReportRefund':
        return reportRefund(command, state);
      case 'ReportDispute':
        return reportDispute(command, state);
      case 'AbandonPayment':
        return intentOf(state, command.intent)?.status === 'open'
          ? accept({ type: 'PaymentAbandoned', data: { intent: command.intent } })
          : NOTHING_TO_DO;
      case 'RecordRefund':
        return recordRefund(command, state);
      case 'RecordFailedRefund':
        return recordFailedRefund(command, state);
      case 'ChangeDelivery':
        return changeDelivery(command, state);
      case 'ShipOrder':
        return ship(command, state, context);
      case 'WithdrawShipment':
        return withdraw(command, state, context);
      case 'RecordParcel':
        return recordParcel(command, state);
      case 'NoteUnsentMail': {
        const { mail, reason } = command;
        return context.prior.length > 0 ? NOTHING_TO_DO : accept({ type: 'MailGivenUp', data: { mail, reason } });
      }
      case 'ShareTracking':
        return isShared(state) ? NOTHING_TO_DO : accept({ type: 'TrackingShared', data: generationOf(state) });
      case 'WithdrawTracking':
        return isShared(state) ? accept({ type: 'TrackingWithdrawn', data: generationOf(state) }) : NOTHING_TO_DO;
      case 'ErasePersonalData':
        return erase(command, state);
      default:
        return unreachable(command);
    }
  },
};

/**
 * Two commands may be sent to place the same order: one by the request, and one by the policy that finishes placements.
 * The second command changes nothing (ORD1).
 */
function place(command: Command<'PlaceOrder'>, state: OrderState): Decision {
  if (state.status === 'absent') {
    return accept({
      type: 'OrderPlaced',
      data: { draft: command.draft, person: command.userId, personal: command.delivery },
    });
  }
  return state.productId === command.draft.productId ? NOTHING_TO_DO : refuse({ code: 'idempotency_key_reused' });
}

/**
 * A repeated command ships nothing, even if the original shipment has been withdrawn in the meantime (CMD3). The
 * command is refused if the order has changed since the version that the admin saw (ORD10).
 */
function ship(
  { now, seen, parcel }: Command<'ShipOrder'>,
  state: KnownOrder,
  { version, prior }: DecisionContext,
): Decision {
  const { id: orderId } = state;
  if (prior.length > 0 || state.status === 'shipped') return NOTHING_TO_DO;
  if (state.status === 'cancelled') return refuse({ code: 'order_cancelled', orderId });
  if (state.status !== 'paid') return refuse({ code: 'order_not_paid', orderId });
  const barred = whyNotShipped(state);
  if (barred !== null) return refuse({ code: barred, orderId });
  if (seen !== undefined && seen !== version) return refuse({ code: 'order_changed', orderId, version });
  const shipped: DomainEvent = { type: 'OrderShipped', data: { shippedAt: now } };
  return parcel ? accept(shipped, parcelRecorded(shipmentsOf(state) + 1, parcel)) : accept(shipped);
}

/**
 * Withdraws a shipment (ORD11). Once the customer's data has been erased, the shipment can't be withdrawn, because the
 * order no longer has an address and couldn't be shipped again.
 */
function withdraw(
  { shipment, reason, now }: Command<'WithdrawShipment'>,
  state: KnownOrder,
  { prior }: DecisionContext,
): Decision {
  const { id: orderId } = state;
  const [done] = prior;
  if (done?.type === 'ShipmentWithdrawn') {
    const same = done.data.shipment === shipment && done.data.reason === reason;
    return same ? NOTHING_TO_DO : refuse({ code: 'idempotency_key_reused' });
  }
  const { shippedAt } = state;
  if (shippedAt === null || shipmentsOf(state) !== shipment) return refuse({ code: 'order_not_shipped', orderId });
  const age = Date.parse(now) - Date.parse(shippedAt);
  if (age > WITHDRAWN_WITHIN_MS || state.erased) return refuse({ code: 'shipment_final', orderId });
  if (reason === null && age > UNDONE_WITHIN_MS) return refuse({ code: 'reason_required', orderId });
  return accept({ type: 'ShipmentWithdrawn', data: { shipment, reason } });
}

function recordParcel({ parcel }: Command<'RecordParcel'>, state: KnownOrder): Decision {
  if (state.status !== 'shipped') return refuse({ code: 'order_not_shipped', orderId: state.id });
  const { carrier, trackingNumber } = state.parcel ?? {};
  if (parcel.carrier === carrier && parcel.trackingNumber === trackingNumber) return NOTHING_TO_DO;
  return accept(parcelRecorded(shipmentsOf(state), parcel));
}

function parcelRecorded(shipment: number, { carrier, trackingNumber }: Parcel): DomainEvent {
  return { type: 'ParcelRecorded', data: { shipment, carrier, trackingNumber } };
}

/**
 * Changes the delivery details of an order that hasn't shipped. The parcel is sent to the address that the order has
 * when it ships (ORD9).
 */
function changeDelivery({ changes }: Command<'ChangeDelivery'>, state: KnownOrder): Decision {
  const { id: orderId } = state;
  if (state.status === 'cancelled') return refuse({ code: 'order_cancelled', orderId });
  if (state.status === 'shipped') return refuse({ code: 'order_shipped', orderId });
  if (state.erased) return refuse({ code: 'order_erased', orderId });
  if (Object.keys(changes).length === 0) return NOTHING_TO_DO;
  return accept({ type: 'DeliveryChanged', data: { person: state.customer, personal: changes } });
}

const isShared = ({ tracking = NEVER_SHARED }: KnownOrder) => tracking.shared;
const generationOf = ({ tracking: { generation } = NEVER_SHARED }: KnownOrder) => ({ generation });

function cancelled({ productId, quantity }: KnownOrder, reason: CancelReason): DomainEvent {
  return { type: 'OrderCancelled', data: { reason, productId, quantity } };
}

/**
 * Erases the customer's data from an order (ERASE1). If the order is paid, the erasure is refused unless `evenIfPaid`
 * is set, because the order needs its address until it ships. Money that is on its way back delays the erasure too,
 * because a person may have to look into it. Once erased, an order can't become paid: an unpaid order
 * is cancelled here, and a shipped order's shipment can no longer be withdrawn (ORD11).
 */
function erase({ evenIfPaid }: Command<'ErasePersonalData'>, state: KnownOrder): Decision {
  if (state.erased) return NOTHING_TO_DO;
  const { id: orderId } = state;
  if (!evenIfPaid && state.status === 'paid' && !isNeverShipped(state)) return refuse({ code: 'order_paid', orderId });
  if (!evenIfPaid && owesMoney(state)) return refuse({ code: 'refund_pending', orderId });
  const erased: DomainEvent = { type: 'PersonalDataErased', data: {} };
  return state.status === 'unpaid' ? accept(cancelled(state, 'customer'), erased) : accept(erased);
}

/** An order has at most one open payment intent, so a second one is refused (PAY2). */
function startPayment({ intent, attempt, amount }: Command<'StartPayment'>, state: KnownOrder): Decision {
  const { id: orderId } = state;
  if (state.status === 'cancelled') return refuse({ code: 'order_cancelled', orderId });
  if (state.status !== 'unpaid') return refuse({ code: 'order_paid', orderId });
  if (state.intents.some((one) => one.intent === intent)) return NOTHING_TO_DO;
  if (openIntent(state) || attempt !== nextAttempt(state))
    return refuse({ code: 'payment_superseded', orderId, intent });
  return accept({ type: 'PaymentStarted', data: { intent, attempt, amount } });
}

/**
 * An order waits for a payment that takes time only from the first report on, so that repeated reports don't keep its
 * stock for longer (PAY7).
 */
function noteProcessing({ intent, until }: Command<'NoteProcessing'>, state: KnownOrder): Decision {
  const isOpen = state.status === 'unpaid' && openIntent(state)?.intent === intent;
  return isOpen && !state.processing ? accept({ type: 'PaymentProcessing', data: { intent, until } }) : NOTHING_TO_DO;
}

/** The maximum number of failed attempts that are recorded for an order, so that nobody can make its stream long (CMD8). */
const MAX_FAILED_ATTEMPTS = 20;

function noteFailedAttempt(
  { intent, reason }: Command<'NoteFailedAttempt'>,
  state: KnownOrder,
  { prior }: DecisionContext,
): Decision {
  const isOpen = state.status === 'unpaid' && openIntent(state)?.intent === intent;
  const isCounted = state.failedAttempts < MAX_FAILED_ATTEMPTS || state.processing;
  return isOpen && isCounted && prior.length === 0
    ? accept({ type: 'PaymentFailed', data: { intent, reason } })
    : NOTHING_TO_DO;
}

/**
 * Records a payment. If the order can't accept the payment, records instead that a refund is due. Repeating the command
 * changes nothing (PAY2, PAY4).
 */
function settle({ intent, amount, currency }: Command<'SettlePayment'>, state: KnownOrder): Decision {
  const status = intentOf(state, intent)?.status;
  if (status === 'paid' || status === 'refund_due' || status === 'refunded') return NOTHING_TO_DO;
  const reason = refundReason(state, amount, currency);
  return reason === null
    ? accept({ type: 'PaymentRecorded', data: { intent, amount, currency } })
    : accept({ type: 'RefundDue', data: { intent, amount, currency, reason } });
}

function refundReason(state: KnownOrder, amount: number, currency: string): RefundReason | null {
  if (state.status === 'cancelled') return state.cancelReason === 'expired' ? 'order_expired' : 'order_cancelled';
  if (state.status !== 'unpaid') return 'already_paid';
  if (currency !== CURRENCY) return 'wrong_currency';
  return amount === toPoisha(state.total) ? null : 'wrong_amount';
}

/**
 * Ignores a refund that has already failed, because an old response from Stripe may still report it as successful
 * (PAY6).
 */
function recordRefund({ intent, amount, refund }: Command<'RecordRefund'>, state: KnownOrder) {
  const known = intentOf(state, intent);
  if (known?.status !== 'refund_due' || known.failedRefunds.includes(refund)) return NOTHING_TO_DO;
  return accept({ type: 'PaymentRefunded', data: { intent, amount, refund } });
}

/**
 * Records a refund's failure once. The amount becomes due for a refund again, even if the refund had been recorded as
 * successful (PAY6).
 */
function recordFailedRefund(command: Command<'RecordFailedRefund'>, state: KnownOrder): Decision {
  const { intent, refund, failure } = command;
  const known = intentOf(state, intent);
  if (!known?.due || known.failedRefunds.includes(refund)) return NOTHING_TO_DO;
  const attempt = known.failedRefunds.length + 1;
  return accept({ type: 'RefundFailed', data: { intent, ...known.due, refund, attempt, failure } });
}
