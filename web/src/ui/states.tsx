import { Button, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './states.module.css';

type Message = { title: string; text: string };

/** Shown when there is no content. `action` offers the next step. */
export function EmptyState({ title, text, action }: Message & { action?: ReactNode }) {
  return (
    <div className={styles.state}>
      <Words title={title} text={text} />
      {action}
    </div>
  );
}

type ErrorStateProps = Message & { onRetry?: () => void; action?: ReactNode; headingOrder?: 1 | 2 };

/** Says what failed. Offers a retry if `onRetry` is given, and also shows `action`, if any. */
export function ErrorState({ title, text, onRetry, action, headingOrder }: ErrorStateProps) {
  return (
    <div className={styles.state} role="alert">
      <Words title={title} text={text} headingOrder={headingOrder} />
      {onRetry ? (
        <Button variant="default" onClick={onRetry}>
          Retry
        </Button>
      ) : null}
      {action}
    </div>
  );
}

/**
 * A loading indicator. It is as tall as the other states, so that the page doesn't shift when another state replaces
 * it.
 */
export function LoadingState({ label }: { label?: string }) {
  return (
    <div className={styles.state}>
      <Spinner label={label} />
    </div>
  );
}

function Words({ title, text, headingOrder = 2 }: Message & { headingOrder?: 1 | 2 | undefined }) {
  return (
    <div>
      <Title order={headingOrder} size="h3">
        {title}
      </Title>
      <Text c="dimmed" mt="sm">
        {text}
      </Text>
    </div>
  );
}

/** A circle, a triangle and a square that move while something loads. `label` is for screen readers. */
export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={styles.spinner} role="status" aria-label={label}>
      <svg className={styles.shape} viewBox="0 0 24 24" data-shape="circle" aria-hidden="true">
        <circle cx="12" cy="12" r="9" />
      </svg>
      <svg className={styles.shape} viewBox="0 0 24 24" data-shape="triangle" aria-hidden="true">
        <path d="M12 3.5 21 20H3Z" />
      </svg>
      <svg className={styles.shape} viewBox="0 0 24 24" data-shape="square" aria-hidden="true">
        <rect x="4" y="4" width="16" height="16" />
      </svg>
    </div>
  );
}
