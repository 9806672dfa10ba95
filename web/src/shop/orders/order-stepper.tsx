import { VisuallyHidden } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { formatTime } from '../../ui/format.ts';
import styles from './order-stepper.module.css';

/** When an order reached each step, in ISO 8601; null for those it has not. */
export interface OrderTimes {
  placedAt: string;
  confirmedAt: string | null;
  shippedAt: string | null;
  cancelledAt: string | null;
}

interface Step {
  label: string;
  at: string | null;
}

/** The steps of an order; a cancelled one has only those that it went, and ends there. */
export function stepsOf({ placedAt, confirmedAt, shippedAt, cancelledAt }: OrderTimes, confirmed: string): Step[] {
  const steps = [
    { label: 'Placed', at: placedAt },
    { label: confirmed, at: confirmedAt },
    { label: 'Shipped', at: shippedAt },
  ];
  return cancelledAt === null
    ? steps
    : [...steps.filter(({ at }) => at !== null), { label: 'Cancelled', at: cancelledAt }];
}

/**
 * How far an order is: a list of its steps with their times, side by side or, where it is narrow, one below the other. A step
 * that is reached is told politely. `confirmed` names the second step: an owner's is 'Paid'.
 */
export function OrderStepper({ times, confirmed = 'Paid' }: { times: OrderTimes; confirmed?: string }) {
  const steps = stepsOf(times, confirmed);
  const current = steps.findLastIndex(({ at }) => at !== null);
  const cancelled = times.cancelledAt !== null;
  return (
    <div className={styles.frame}>
      <ol className={styles.steps} aria-label="Steps of the order">
        {steps.map(({ label, at }, index) => (
          <li
            key={label}
            className={styles.step}
            data-state={at === null ? 'ahead' : index === current ? 'current' : 'done'}
            data-cancelled={(cancelled && index === current) || undefined}
            aria-current={index === current ? 'step' : undefined}
          >
            <span className={styles.mark} aria-hidden="true">
              <Mark reached={at !== null} cancelled={cancelled && index === current} />
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

function Mark({ reached, cancelled }: { reached: boolean; cancelled: boolean }) {
  if (!reached) return null;
  return cancelled ? <IconX stroke={2.5} /> : <IconCheck stroke={2.5} />;
}

/** Says nothing of the step that is shown first: that one is read with the page. */
function StepAnnouncer({ label = '' }: { label: string | undefined }) {
  const [said, setSaid] = useState('');
  useDidUpdate(() => setSaid(`The order is now ${label.toLowerCase()}.`), [label]);
  return (
    <VisuallyHidden component="div" role="status" aria-label="Step of the order">
      {said}
    </VisuallyHidden>
  );
}
