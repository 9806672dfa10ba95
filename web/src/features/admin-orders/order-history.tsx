import { Stack } from '@mantine/core';
import { CARRIERS } from '@micro-center/services/contracts/carriers.ts';
import type { TimelineEntry } from '@micro-center/services/contracts/views.ts';
import { problemText } from '../../api/problem.ts';
import { useLiveAnswer } from '../../live/live-document.ts';
import { timelineOf } from '../../shop/orders/orders.api.ts';
import { formatTaka, formatTime } from '../../ui/format.ts';
import { ErrorState } from '../../ui/states.tsx';
import styles from './order-drawer.module.css';
import { WITHDRAWAL_WORDS } from './withdrawal-words.ts';

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
};

const REASONS: Record<NonNullable<TimelineEntry['reason']>, string> = {
  order_cancelled: 'cancelled before the payment arrived',
  order_expired: 'expired before the payment arrived',
  already_paid: 'paid already',
  wrong_amount: 'not the amount of the order',
  wrong_currency: 'not the currency of the order',
};

function whatOf({ type, amount, reason, withdrawal, carrier, trackingNumber }: TimelineEntry): string {
  const money = amount === undefined ? '' : ` (${formatTaka(amount)})`;
  const why = reason ? `: ${REASONS[reason]}` : withdrawal ? `: ${WITHDRAWAL_WORDS[withdrawal].toLowerCase()}` : '';
  const parcel = carrier ? `: ${CARRIERS[carrier].name} ${trackingNumber ?? ''}` : '';
  return `${WORDS[type]}${money}${why}${parcel}`;
}

/** Lists everything that happened to an order and who did it, oldest first. */
export function OrderHistory({ orderId }: { orderId: string }) {
  const { data: entries, error, refetch } = useLiveAnswer(timelineOf(orderId));
  if (entries === undefined) {
    return error ? (
      <ErrorState title="The timeline could not be loaded" text={problemText(error)} onRetry={refetch} />
    ) : null;
  }
  return (
    <Stack component="ol" gap="sm" className={styles.entries} aria-label="Everything that happened">
      {entries.map((entry) => (
        <li key={entry.version}>
          <span>{whatOf(entry)}</span>
          <span className={styles.quiet}>
            <time dateTime={entry.at}>{formatTime(entry.at)}</time>
            {entry.by === undefined ? null : ` · ${entry.by}`}
          </span>
        </li>
      ))}
    </Stack>
  );
}
