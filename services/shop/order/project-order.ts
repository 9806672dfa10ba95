import { type DomainEvent, ERASED, type RecordedEvent } from '../../contracts/events.ts';
import { toTaka } from '../../contracts/money.ts';
import type { OrderDocument, Owed, Parcel, Tracking } from '../../contracts/order/order-document.ts';
import type { Delivery } from '../../contracts/order/order-draft.ts';
import {
  isFailed,
  keptOf,
  type MoneyBackEvent,
  moneyBackAfter,
  moneyBackOf,
  paidOf,
  sentBack,
  unsettled,
} from './money-of-order.ts';

const NOTHING_OWED: Owed = { intents: [], refunds: [] };

export const ERASED_DELIVERY: Delivery = { name: ERASED, email: ERASED, phone: ERASED, address: ERASED };

/** Folds one event into an order's document (PRJ2). */
export function projectOrder(before: OrderDocument | null, event: RecordedEvent): OrderDocument | null {
  if (event.type === 'OrderPlaced') {
    const { draft, person, personal } = event.data;
    return {
      kind: 'order',
      id: draft.orderId,
      version: event.streamversion,
      createdAt: event.time,
      customer: person,
      ...personal,
      productId: draft.productId,
      product: draft.product,
      quantity: draft.quantity,
      price: draft.price,
      total: draft.total,
      status: 'unpaid',
      transactionId: '',
      expiresAt: draft.expiresAt,
      paymentDeadline: draft.expiresAt,
      paidAt: null,
      shippedAt: null,
      cancelledAt: null,
      cancelReason: null,
      refundedAt: null,
      owes: NOTHING_OWED,
      number: draft.number,
    };
  }
  if (before === null) return null;
  return { ...before, ...changesOf(before, event), version: event.streamversion };
}

function changesOf(before: OrderDocument, event: RecordedEvent): Partial<OrderDocument> {
  const { owes } = before;
  switch (event.type) {
    case 'PaymentStarted':
      return { owes: { ...owes, intents: [...owes.intents, event.data.intent] } };
    case 'PaymentProcessing': {
      const { intent, until } = event.data;
      const expiresAt = until > before.paymentDeadline ? until : before.paymentDeadline;
      return { processing: { intent, until }, expiresAt };
    }
    case 'PaymentFailed':
      return { paymentFailure: event.data.reason, ...afterProcessing(before, event.data.intent) };
    case 'PaymentRecorded':
      return {
        ...afterProcessing(before, event.data.intent),
        status: 'paid',
        transactionId: event.data.intent,
        paidAt: event.time,
        expiresAt: null,
        owes: withoutIntent(owes, event.data.intent),
        ...(before.paymentFailure && { paymentFailure: null }),
      };
    case 'PaymentAbandoned':
      return { ...afterProcessing(before, event.data.intent), owes: withoutIntent(owes, event.data.intent) };
    case 'RefundDue': {
      const { intent, amount, reason } = event.data;
      const left = withoutIntent(owes, intent);
      return {
        ...afterProcessing(before, intent),
        owes: { ...left, refunds: [...left.refunds, { intent, amount, reason }] },
      };
    }
    case 'RefundGranted':
    case 'RefundReported':
    case 'DisputeReported':
      return afterMoneyBack(before, event);
    case 'PaymentRefunded': {
      const refunds = owes.refunds.filter((refund) => refund.intent !== event.data.intent);
      return { ...refundedAt(before, event.time), owes: { ...owes, refunds } };
    }
    case 'RefundFailed': {
      const { intent, amount, reason, attempt: failures } = event.data;
      const others = owes.refunds.filter((refund) => refund.intent !== intent);
      return {
        ...refundedAt(before, null),
        owes: { ...owes, refunds: [...others, { intent, amount, reason, failures }] },
      };
    }
    case 'DeliveryChanged':
      return { ...event.data.personal, deliveryChangedAt: event.time };
    case 'OrderShipped':
      return {
        status: 'shipped',
        shippedAt: event.data.shippedAt,
        ...(before.shipments !== undefined && { shipments: before.shipments + 1 }),
      };
    case 'ShipmentWithdrawn':
      return {
        status: 'paid',
        shippedAt: null,
        shipments: event.data.shipment,
        ...(before.parcel && { parcel: null }),
      };
    case 'ParcelRecorded':
      return { parcel: parcelOf(event) };
    case 'TrackingShared':
    case 'TrackingWithdrawn':
      return { tracking: trackingAfter(event) };
    case 'OrderCancelled':
      return { status: 'cancelled', cancelledAt: event.time, cancelReason: event.data.reason, expiresAt: null };
    case 'PersonalDataErased':
      return ERASED_DELIVERY;
    default:
      return {};
  }
}

/** Returns the changes to an order that waited for this payment intent: it no longer waits. */
function afterProcessing(
  { processing, status, paymentDeadline }: OrderDocument,
  intent: string,
): Partial<OrderDocument> {
  if (processing?.intent !== intent) return {};
  return { processing: null, ...(status === 'unpaid' && { expiresAt: paymentDeadline }) };
}

/** Money that an order couldn't accept counts as the order's own only if the order has no payment. */
const refundedAt = ({ transactionId }: OrderDocument, at: string | null): Partial<OrderDocument> =>
  transactionId === '' ? { refundedAt: at } : {};

/** Returns the changes after a grant, or after a report about a refund or a dispute. */
function afterMoneyBack(before: OrderDocument, event: MoneyBackEvent): Partial<OrderDocument> {
  const moneyBack = moneyBackAfter(moneyBackOf(before), event);
  const after = { ...before, moneyBack };
  const kept = toTaka(keptOf(after));
  const { transactionId: intent } = before;
  // A dispute can also be about money that the order couldn't accept, whose refund stays due.
  if (intent === '') return { moneyBack, kept };
  const others = before.owes.refunds.filter((one) => one.intent !== intent);
  const amount = unsettled(after);
  const failures = moneyBack.refunds.filter(({ status, grant }) => grant !== null && isFailed(status)).length;
  const owed = { intent, amount, reason: 'granted', ...(failures > 0 && { failures }) } as const;
  const isAllBack = sentBack(after) >= paidOf(after) && amount === 0;
  return {
    moneyBack,
    kept,
    owes: { ...before.owes, refunds: amount > 0 ? [...others, owed] : others },
    refundedAt: isAllBack ? (before.refundedAt ?? event.time) : null,
  };
}

export function parcelOf({ data: { carrier, trackingNumber } }: DomainEvent<'ParcelRecorded'>): Parcel {
  return { carrier, trackingNumber };
}

/**
 * `generation` is the number of the order's tracking link. It goes up by one when a link is withdrawn, so the same link
 * is never issued again.
 */
function trackingAfter({ type, data }: DomainEvent<'TrackingShared' | 'TrackingWithdrawn'>): Tracking {
  const { generation } = data;
  return type === 'TrackingShared' ? { generation, shared: true } : { generation: generation + 1, shared: false };
}

/** Returns how many times an order was shipped, including withdrawn shipments. */
export function shipmentsOf({ shipments, status }: Pick<OrderDocument, 'shipments' | 'status'>): number {
  return shipments ?? (status === 'shipped' ? 1 : 0);
}

function withoutIntent(owes: Owed, intent: string): Owed {
  return { ...owes, intents: owes.intents.filter((one) => one !== intent) };
}
