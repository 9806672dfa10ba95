import type { RecordedEvent } from '../../contracts/events.ts';
import { toTaka } from '../../contracts/money.ts';
import type { TimelineEntry } from '../../contracts/views.ts';

/** Adds what one event of an order says to the order's timeline, oldest first. */
export function evolveTimeline(entries: TimelineEntry[], event: RecordedEvent): TimelineEntry[] {
  const step = stepOf(event);
  return step ? [...entries, { ...step, at: event.time, version: event.streamversion }] : entries;
}

function stepOf(event: RecordedEvent): Omit<TimelineEntry, 'at' | 'version'> | null {
  switch (event.type) {
    case 'OrderPlaced':
      return { type: 'placed', amount: event.data.draft.total };
    case 'PaymentStarted':
      return { type: 'payment_started', transactionId: event.data.intent, amount: toTaka(event.data.amount) };
    case 'PaymentRecorded':
      return { type: 'paid', transactionId: event.data.intent, amount: toTaka(event.data.amount) };
    case 'PaymentAbandoned':
      return { type: 'payment_abandoned', transactionId: event.data.intent };
    case 'RefundDue': {
      const { intent, amount, reason } = event.data;
      return { type: 'refund_due', transactionId: intent, amount: toTaka(amount), reason };
    }
    case 'PaymentRefunded':
      return { type: 'refunded', transactionId: event.data.intent, amount: toTaka(event.data.amount) };
    case 'RefundFailed':
      return { type: 'refund_failed', transactionId: event.data.intent, amount: toTaka(event.data.amount) };
    case 'OrderShipped':
      return { type: 'shipped' };
    case 'OrderCancelled':
      return { type: event.data.reason === 'expired' ? 'expired' : 'cancelled' };
    default:
      return null;
  }
}
