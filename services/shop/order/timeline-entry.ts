import type { RecordedEvent } from '../../contracts/events.ts';
import { toTaka } from '../../contracts/money.ts';
import type { ReportedDispute, ReportedRefund } from '../../contracts/order/order-document.ts';
import type { TimelineEntry } from '../../contracts/order/timeline.ts';
import { isLoss, isUndecided } from './money-of-order.ts';
import { parcelOf } from './project-order.ts';

const REFUND_STEPS = {
  pending: 'refund_pending',
  succeeded: 'refund_made',
  failed: 'refund_undone',
  canceled: 'refund_undone',
} as const;

function refundStep({ status, amount, grant }: ReportedRefund) {
  return { type: REFUND_STEPS[status], amount: toTaka(amount), ...(grant === null && { elsewhere: true }) } as const;
}

function disputeStep(dispute: ReportedDispute) {
  return { type: disputeStepType(dispute), amount: toTaka(dispute.amount) } as const;
}

function disputeStepType({ status, withdrawn, reinstated }: ReportedDispute) {
  if (reinstated) return 'dispute_reinstated';
  if (isLoss(status)) return 'dispute_lost';
  if (withdrawn && status === 'needs_response') return 'dispute_withdrawn';
  return isUndecided(status) || status.startsWith('appeal_') ? 'dispute_changed' : 'dispute_ended';
}

/** Returns the order's timeline entry for an event, or null if the timeline doesn't show that event. */
export function timelineEntry(event: RecordedEvent): TimelineEntry | null {
  const step = timelineStep(event);
  return step && { ...step, at: event.time, version: event.streamversion };
}

function timelineStep(event: RecordedEvent): Omit<TimelineEntry, 'at' | 'version'> | null {
  switch (event.type) {
    case 'OrderPlaced':
      return { type: 'placed', amount: event.data.draft.total };
    case 'DeliveryChanged':
      return { type: 'delivery_changed' };
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
    case 'PaymentProcessing':
      return { type: 'payment_processing', transactionId: event.data.intent };
    case 'PaymentFailed':
      return { type: 'payment_failed', transactionId: event.data.intent, failure: event.data.reason };
    case 'RefundGranted':
      return { type: 'refund_granted', amount: toTaka(event.data.amount), granted: event.data.reason };
    case 'RefundReported':
      return refundStep(event.data);
    case 'DisputeReported':
      return disputeStep(event.data);
    case 'RefundFailed':
      return { type: 'refund_failed', transactionId: event.data.intent, amount: toTaka(event.data.amount) };
    case 'OrderShipped':
      return { type: 'shipped' };
    case 'ShipmentWithdrawn':
      return { type: 'shipment_withdrawn', withdrawal: event.data.reason };
    case 'ParcelRecorded':
      return { type: 'parcel_recorded', ...parcelOf(event) };
    case 'MailGivenUp':
      return { type: 'mail_given_up' };
    case 'OrderCancelled':
      return { type: event.data.reason === 'expired' ? 'expired' : 'cancelled' };
    default:
      return null;
  }
}
