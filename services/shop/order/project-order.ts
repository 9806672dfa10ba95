import type { OrderDocument, Owed } from '../../contracts/documents.ts';
import { ERASED, type RecordedEvent } from '../../contracts/events.ts';

const NOTHING_OWED: Owed = { intents: [], refunds: [] };

/** Folds one event of an order's stream into its document; null stands for a document not made yet (PRJ2). */
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
    case 'PaymentRecorded':
      return {
        status: 'paid',
        transactionId: event.data.intent,
        paidAt: event.time,
        expiresAt: null,
        owes: withoutIntent(owes, event.data.intent),
      };
    case 'PaymentAbandoned':
      return { owes: withoutIntent(owes, event.data.intent) };
    case 'RefundDue': {
      const { intent, amount, reason } = event.data;
      const left = withoutIntent(owes, intent);
      return { owes: { ...left, refunds: [...left.refunds, { intent, amount, reason }] } };
    }
    case 'PaymentRefunded': {
      const refunds = owes.refunds.filter((refund) => refund.intent !== event.data.intent);
      return { refundedAt: event.time, owes: { ...owes, refunds } };
    }
    case 'RefundFailed': {
      const { intent, amount, reason, attempt: failures } = event.data;
      const others = owes.refunds.filter((refund) => refund.intent !== intent);
      return { refundedAt: null, owes: { ...owes, refunds: [...others, { intent, amount, reason, failures }] } };
    }
    case 'OrderShipped':
      return { status: 'shipped', shippedAt: event.time };
    case 'OrderCancelled':
      return { status: 'cancelled', cancelledAt: event.time, cancelReason: event.data.reason, expiresAt: null };
    case 'PersonalDataErased':
      return { name: ERASED, email: ERASED, phone: ERASED, address: ERASED };
    default:
      return {};
  }
}

function withoutIntent(owes: Owed, intent: string): Owed {
  return { ...owes, intents: owes.intents.filter((one) => one !== intent) };
}
