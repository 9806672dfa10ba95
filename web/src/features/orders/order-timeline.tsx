import { Stepper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { OrderView, TimelineEntry } from '@micro-center/services/contracts/views.ts';
import { problemText } from '../../api/problem.ts';
import { useLiveAnswer } from '../../live/live-document.ts';
import { timelineOf } from '../../shop/orders/orders.api.ts';
import { formatTaka, formatTime } from '../../ui/format.ts';
import { ErrorState } from '../../ui/states.tsx';
import { CARDS } from '../../ui/use-virtual-rows.ts';
import styles from './order-timeline.module.css';

const WORDS: Record<TimelineEntry['type'], string> = {
  placed: 'Order placed',
  delivery_changed: 'Phone or address corrected',
  payment_started: 'Payment started',
  paid: 'Paid',
  shipped: 'Shipped',
  cancelled: 'Cancelled',
  expired: 'Cancelled, since it was not paid in time',
  payment_abandoned: 'Payment given up',
  refund_due: 'Refund on its way',
  refunded: 'Refunded',
  refund_failed: 'Refund failed. We will make sure that you get your money back',
};

const REASONS: Record<NonNullable<TimelineEntry['reason']>, string> = {
  order_cancelled: 'the order was cancelled before the payment came',
  order_expired: 'the order had expired before the payment came',
  already_paid: 'the order was paid already',
  wrong_amount: 'the amount was not that of the order',
  wrong_currency: 'the currency was not that of the order',
};

function entryText({ type, amount, reason }: TimelineEntry): string {
  const money = amount === undefined ? '' : ` (${formatTaka(amount)})`;
  return `${WORDS[type]}${money}${reason === undefined ? '' : `: ${REASONS[reason]}`}`;
}

const REFUNDING: ReadonlySet<TimelineEntry['type']> = new Set(['refund_due', 'refunded', 'refund_failed']);

interface Step {
  label: string;
  at: string | null;
}

/** What has happened and what comes next: a cancelled order is neither paid nor shipped any more. */
export function stepsOf(order: OrderView, entries: readonly TimelineEntry[]): Step[] {
  const placed = { label: 'Placed', at: order.placedAt };
  const ways = order.cancelledAt
    ? [{ label: 'Cancelled', at: order.cancelledAt }]
    : [
        { label: 'Paid', at: order.paidAt },
        { label: 'Shipped', at: order.shippedAt },
      ];
  const refund = refundStep(entries);
  return refund ? [placed, ...ways, refund] : [placed, ...ways];
}

/** Done once every payment that is due to go back has gone back; one that failed afterwards is due again. */
function refundStep(entries: readonly TimelineEntry[]): Step | null {
  /** what happened last, by payment */
  const last = new Map<string, TimelineEntry>();
  for (const entry of entries) {
    if (REFUNDING.has(entry.type)) last.set(entry.transactionId ?? '', entry);
  }
  if (last.size === 0) return null;
  const ends = [...last.values()];
  if (ends.some(({ type }) => type === 'refund_failed')) return { label: 'Refund failed', at: null };
  const done = ends.every(({ type }) => type === 'refunded');
  return done ? { label: 'Refunded', at: ends.at(-1)?.at ?? null } : { label: 'Refund due', at: null };
}

/** An order's steps with their times, and its events below, live. */
export function OrderTimeline({ order }: { order: OrderView }) {
  const { data, error, refetch } = useLiveAnswer(timelineOf(order._id));
  const steps = stepsOf(order, data ?? []);
  const narrow = useMediaQuery(CARDS, undefined, { getInitialValueInEffect: false });
  const happened = steps.filter(({ at }) => at !== null).length;
  return (
    <section aria-label={`Timeline of ${order.product}`} className={styles.timeline}>
      <Stepper
        active={happened}
        size="sm"
        iconSize={28}
        orientation={narrow ? 'vertical' : 'horizontal'}
        className={styles.steps}
      >
        {steps.map(({ label, at }) => (
          <Stepper.Step
            key={label}
            label={label}
            description={at ? formatTime(at) : 'Not yet'}
            component="div"
            aria-label={`${label}: ${at ? formatTime(at) : 'not yet'}`}
          />
        ))}
      </Stepper>
      {data === undefined && error ? (
        <ErrorState title="The timeline could not be loaded" text={problemText(error)} onRetry={refetch} />
      ) : (
        <Entries entries={data ?? []} />
      )}
    </section>
  );
}

function Entries({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className={styles.entries} aria-label="Everything that happened">
      {entries.map((entry) => (
        <li key={entry.version}>
          <time dateTime={entry.at}>{formatTime(entry.at)}</time>
          <span>
            {entryText(entry)}
            {entry.transactionId ? (
              <Text component="span" size="xs" c="dimmed" className={styles.transaction}>
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
