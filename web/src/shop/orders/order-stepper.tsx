import { VisuallyHidden } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import type { TrackingView } from '@micro-center/services/contracts/tracking/tracking-view.ts';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { formatTime } from '../../ui/format.ts';
import styles from './order-stepper.module.css';

/** The time at which an order reached each step, or null for a step that it hasn't reached. */
export type OrderTimes = Pick<TrackingView, 'placedAt' | 'confirmedAt' | 'shippedAt' | 'cancelledAt'>;

/**
 * The steps of an order. A cancelled order has only the steps that it reached, followed by 'Cancelled'. If the order
 * `ends` where it is, it also has only the steps that it reached.
 */
export function stepsOf(
  { placedAt, confirmedAt, shippedAt, cancelledAt }: OrderTimes,
  confirmed: string,
  ends = false,
) {
  const steps = [
    { label: 'Placed', at: placedAt },
    { label: confirmed, at: confirmedAt },
    { label: 'Shipped', at: shippedAt },
  ];
  if (cancelledAt === null && !ends) return steps;
  const reached = steps.filter(({ at }) => at !== null);
  return cancelledAt === null ? reached : [...reached, { label: 'Cancelled', at: cancelledAt }];
}

interface OrderStepperProps {
  times: OrderTimes;
  confirmed?: string;
  ends?: boolean;
}

/**
 * Shows an order's progress as a list of its steps with their times. The steps are side by side, or stacked if space is
 * tight. A newly reached step is announced politely. `confirmed` is the label of the second step. The default, 'Paid',
 * is for the order's customer. `ends` leaves out the steps that the order won't reach.
 */
export function OrderStepper({ times, confirmed = 'Paid', ends }: OrderStepperProps) {
  const steps = stepsOf(times, confirmed, ends);
  const current = steps.findLastIndex(({ at }) => at !== null);
  const CurrentMark = times.cancelledAt === null ? IconCheck : IconX;
  return (
    <div className={styles.frame}>
      <ol className={styles.steps} aria-label="Steps of the order">
        {steps.map(({ label, at }, index) => (
          <li
            key={label}
            className={styles.step}
            data-state={at === null ? 'ahead' : index === current ? 'current' : 'done'}
            data-cancelled={(times.cancelledAt !== null && index === current) || undefined}
            aria-current={index === current ? 'step' : undefined}
          >
            <span className={styles.mark} aria-hidden="true">
              {at === null ? null : index === current ? <CurrentMark stroke={2.5} /> : <IconCheck stroke={2.5} />}
            </span>
            <span className={styles.words}>
              <span className={styles.label}>{label}</span>
              {at === null ? (
                <span className={styles.time}>Not yet</span>
              ) : (
                <time className={styles.time} dateTime={at}>
                  {formatTime(at)}
                </time>
              )}
            </span>
          </li>
        ))}
      </ol>
      <StepAnnouncer label={steps[current]?.label} />
    </div>
  );
}

/** Announces each new step. The initial step isn't announced, because screen readers read it with the page. */
function StepAnnouncer({ label = '' }: { label: string | undefined }) {
  const [said, setSaid] = useState('');
  useDidUpdate(() => setSaid(`The order is now ${label.toLowerCase()}.`), [label]);
  return (
    <VisuallyHidden component="div" role="status" aria-label="Step of the order">
      {said}
    </VisuallyHidden>
  );
}
