import { Button, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Spinner } from './spinner.tsx';
import styles from './states.module.css';

type Message = { title: string; text: string };

/** Stands where a filled part would stand when there is nothing to show; `action` is what to do next. */
export function EmptyState({ title, text, action }: Message & { action?: ReactNode }) {
  return (
    <div className={styles.state}>
      <Words title={title} text={text} />
      {action}
    </div>
  );
}

type ErrorStateProps = Message & { onRetry?: () => void; action?: ReactNode; headingOrder?: 1 | 2 };

/** Says what failed, in the shopper's words, and offers to try again where that can help; `action` is offered instead. */
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

/** The same size as the other states, so that nothing jumps when the answer comes. */
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
      <Text c="dimmed" mt={8}>
        {text}
      </Text>
    </div>
  );
}
