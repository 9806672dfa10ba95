import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { problemText } from '../api/problem.ts';
import { ErrorState, LoadingState } from '../ui/states.tsx';
import { RefreshFailed } from './refresh-failed.tsx';

/** As much of a live list as is shown here. */
interface Listed {
  items: readonly unknown[];
  next: string | null;
}

interface LiveListViewProps<L extends Listed> {
  /** what RTK Query's hook answers */
  query: {
    data?: L | undefined;
    error?: unknown;
    isFetching: boolean;
    refetch: () => unknown;
  };
  /** what is listed, with its article: 'the orders' */
  what: string;
  /** makes the list ask for one more page at its next fetch */
  onGrow: () => void;
  /** stands in for the list until it comes; a spinner where it is left out */
  loading?: ReactNode;
  children: (list: L) => ReactNode;
}

/** A live list in all its states: loading, failed, shown though it may be out of date, and with more rows to be had. */
export function LiveListView<L extends Listed>({ query, what, onGrow, loading, children }: LiveListViewProps<L>) {
  const { data, error, isFetching, refetch } = query;
  if (data === undefined) {
    if (!error) return loading ?? <LoadingState label={`Loading ${what}`} />;
    const title = `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded`;
    return <ErrorState title={title} text={problemText(error)} onRetry={refetch} />;
  }
  const showMore = () => {
    onGrow();
    refetch();
  };
  return (
    <>
      {error ? <RefreshFailed error={error} onRetry={refetch} /> : null}
      {children(data)}
      {data.next === null ? null : (
        <Group justify="center" mt="md">
          <Text size="sm" c="dimmed">
            The newest {data.items.length}
          </Text>
          <Button variant="default" size="xs" onClick={showMore} loading={isFetching}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}
