import { Stack } from '@mantine/core';
import { CARRIERS } from '@micro-center/services/contracts/order/carriers.ts';
import type { TimelineEntry } from '@micro-center/services/contracts/order/timeline.ts';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { useLiveAnswer } from '../../live/use-live-document.ts';
import { FAILURE_CLAUSES } from '../../shop/orders/money-words.ts';
import { timelineOf } from '../../shop/orders/orders.api.ts';
import { formatTaka, formatTime } from '../../ui/format.ts';
import styles from './order-drawer.module.css';
import { GRANT_WORDS, WITHDRAWAL_WORDS } from './reason-words.ts';

const WORDS: Record<TimelineEntry['type'], string> = {
  placed: 'Placed',
  delivery_changed: 'Phone or address corrected',
  payment_started: 'Payment started',
  paid: 'Paid',
  shipped: 'Shipped',
  shipment_withdrawn: 'Shipment taken back',
  parcel_recorded: 'Handed to the carrier',
  cancelled: 'Cancelled',
  expired: 'Cancelled because it was not paid in time',
  payment_abandoned: 'Payment given up',
  refund_due: 'Refund due',
  refunded: 'Refunded',
  refund_failed: 'Refund failed: check the payment in Stripe',
  mail_given_up: 'An email about this order could not be delivered',
  payment_processing: 'Payment is being processed',
  payment_failed: 'Payment failed',
  refund_granted: 'Refund granted',
  refund_pending: 'Refund on its way',
  refund_made: 'Refunded',
  refund_undone: 'Refund failed: check the payment in Stripe',
  dispute_withdrawn: 'Disputed: the bank took back the money',
  dispute_reinstated: 'Dispute won: the bank returned the money',
  dispute_changed: 'Dispute: the bank is checking the payment',
  dispute_lost: 'Dispute lost: the customer keeps the money',
  dispute_ended: 'Dispute: the bank has finished checking the payment',
};

const REASONS: Record<NonNullable<TimelineEntry['reason']>, string> = {
  order_cancelled: 'cancelled before the payment arrived',
  order_expired: 'expired before the payment arrived',
  already_paid: 'paid already',
  wrong_amount: 'not the amount of the order',
  wrong_currency: 'not the currency of the order',
};

function whatOf({ type, amount, carrier, trackingNumber, ...entry }: TimelineEntry): string {
  const money = amount === undefined ? '' : ` (${formatTaka(amount)})`;
  const reason = reasonOf(entry);
  const why = reason === null ? '' : `: ${reason}`;
  const parcel = carrier ? `: ${CARRIERS[carrier].name} ${trackingNumber ?? ''}` : '';
  return `${WORDS[type]}${money}${why}${parcel}${entry.elsewhere ? ', made in Stripe’s dashboard' : ''}`;
}

function reasonOf({ reason, withdrawal, failure, granted }: Partial<TimelineEntry>): string | null {
  if (withdrawal) return WITHDRAWAL_WORDS[withdrawal].toLowerCase();
  if (failure) return FAILURE_CLAUSES[failure];
  if (granted) return GRANT_WORDS[granted].toLowerCase();
  return reason ? REASONS[reason] : null;
}

/** Lists everything that happened to an order and who did it, oldest first. */
export function OrderHistory({ orderId }: { orderId: string }) {
  const { data: entries, error, refetch } = useLiveAnswer(timelineOf(orderId));
  if (entries === undefined) {
    return error ? <NotLoaded what="the timeline" error={error} onRetry={refetch} /> : null;
  }
  return (
    <Stack component="ol" gap="sm" className={styles.entries} aria-label="Everything that happened">
      {entries.map((entry) => (
        <li key={entry.version}>
          <span>{whatOf(entry)}</span>
          {entry.note ? <q className={styles.note}>{entry.note}</q> : null}
          <span className={styles.quiet}>
            <time dateTime={entry.at}>{formatTime(entry.at)}</time>
            {entry.by === undefined ? null : ` · ${entry.by}`}
          </span>
        </li>
      ))}
    </Stack>
  );
}
