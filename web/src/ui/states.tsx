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

/** Says what failed, in the shopper's words, and offers to try again where that can help; `action` is offered instead. */
export function ErrorState({ title, text, onRetry, action }: Message & { onRetry?: () => void; action?: ReactNode }) {
  return (
    <div className={styles.state} role="alert">
      <Words title={title} text={text} />
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

function Words({ title, text }: Message) {
  return (
    <div>
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text c="dimmed" mt={8}>
        {text}
      </Text>
    </div>
  );
}
