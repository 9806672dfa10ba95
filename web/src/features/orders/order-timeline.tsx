import { Text } from '@mantine/core';
import { CARRIERS } from '@micro-center/services/contracts/order/carriers.ts';
import type { GrantReason } from '@micro-center/services/contracts/order/order-reasons.ts';
import type { TimelineEntry } from '@micro-center/services/contracts/order/timeline.ts';
import { FAILURE_CLAUSES } from '../../shop/orders/money-words.ts';
import { formatTaka, formatTime } from '../../ui/format.ts';
import styles from './order-page.module.css';

const WORDS: Record<TimelineEntry['type'], string> = {
  placed: 'Order placed',
  delivery_changed: 'Phone or address corrected',
  payment_started: 'Payment started',
  paid: 'Paid',
  shipped: 'Shipped',
  shipment_withdrawn: 'Shipment withdrawn',
  parcel_recorded: 'Handed to the carrier',
  cancelled: 'Cancelled',
  expired: 'Cancelled because it was not paid in time',
  payment_abandoned: 'Payment given up',
  refund_due: 'Refund on its way',
  refunded: 'Refunded',
  refund_failed: 'Refund failed. We will make sure that you get your money back',
  mail_given_up: 'An email about this order could not be delivered',
  payment_processing: 'Your payment is being processed',
  payment_failed: 'Payment failed',
  refund_granted: 'The shop gives money back',
  refund_pending: 'Refund on its way',
  refund_made: 'Refunded',
  refund_undone: 'Refund failed',
  dispute_withdrawn: 'Your bank took back the payment',
  dispute_reinstated: 'Your bank returned the payment to the shop',
  dispute_changed: 'Your bank is checking the payment',
  dispute_lost: 'Your bank decided for you, so the money stays with you',
  dispute_ended: 'Your bank has finished checking the payment',
};

const REASONS: Record<NonNullable<TimelineEntry['reason']>, string> = {
  order_cancelled: 'the order was cancelled before the payment arrived',
  order_expired: 'the order had expired before the payment arrived',
  already_paid: 'the order was paid already',
  wrong_amount: 'the amount did not match the order',
  wrong_currency: 'the currency did not match the order',
};

const GRANTS: Record<GrantReason, string | null> = {
  requested: 'you asked for it',
  out_of_stock: 'the item is out of stock',
  damaged: 'the item was damaged',
  late: 'the order was late',
  price: 'the price was corrected',
  other: null,
};

const WITHDRAWALS: Record<NonNullable<TimelineEntry['withdrawal']>, string> = {
  mistake: 'it was marked as shipped by mistake',
  damaged: 'the parcel was damaged',
  not_collected: 'the carrier did not collect it',
  address: 'the address was not right',
};

function entryText({ type, amount, carrier, trackingNumber, ...why }: TimelineEntry): string {
  if (carrier !== undefined) return `${WORDS[type]} ${CARRIERS[carrier].name}, number ${trackingNumber}`;
  const money = amount === undefined ? '' : ` (${formatTaka(amount)})`;
  const reason = type === 'refund_undone' ? 'we will make sure that you get your money back' : reasonOf(why);
  return `${WORDS[type]}${money}${reason ? `: ${reason}` : ''}`;
}

function reasonOf({ reason, withdrawal, failure, granted }: Partial<TimelineEntry>): string | null {
  if (withdrawal) return WITHDRAWALS[withdrawal];
  if (failure) return FAILURE_CLAUSES[failure];
  if (granted) return GRANTS[granted];
  return reason ? REASONS[reason] : null;
}

/**
 * Lists everything that happened to an order, oldest first. Each payment's id is shown only once, next to the payment's
 * first entry. The payment id `told` is left out, because the page shows it elsewhere.
 */
export function OrderTimeline({ entries, told }: { entries: readonly TimelineEntry[]; told: string }) {
  const firstOf = (id: string) => entries.find(({ transactionId }) => transactionId === id);
  return (
    <ol className={styles.entries} aria-label="Everything that happened">
      {entries.map((entry) => (
        <li key={entry.version}>
          <time dateTime={entry.at}>{formatTime(entry.at)}</time>
          <span>
            {entryText(entry)}
            {entry.transactionId && entry.transactionId !== told && firstOf(entry.transactionId) === entry ? (
              <Text component="span" size="xs" c="dimmed">
                {' '}
                {entry.transactionId}
              </Text>
            ) : null}
          </span>
        </li>
      ))}
    </ol>
  );
}
