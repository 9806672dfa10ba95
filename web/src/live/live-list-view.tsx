import { Alert, Button, Group, Text } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { NotLoaded } from '../api/not-loaded.tsx';
import { problemText } from '../api/problem.ts';
import { listAt } from './follow.ts';
import { type Paging, usePaging } from './paging.ts';
import { type LoadedList, type ShownList, useLive } from './use-live.ts';

interface LiveListViewProps {
  shown: ShownList;
  /** the noun for the rows, with its article, such as 'the orders' */
  what: string;
  /** shown until the list is loaded. The default is a spinner. */
  loading?: ReactNode;
  children: (list: LoadedList, paging: Paging) => ReactNode;
}

/** A live list in all its states: loading, failed, possibly out of date, and with more rows to load. */
export function LiveListView({ shown, what, loading, children }: LiveListViewProps) {
  const { list, error, refetch } = shown;
  const paging = usePaging(list);
  if (list === undefined) {
    if (error === null && loading !== undefined) return loading;
    return <NotLoaded what={what} error={error} onRetry={refetch} />;
  }
  return (
    <>
      {error === null ? null : <RefreshFailed error={error} onRetry={refetch} />}
      {children(list, paging)}
      {paging.more ? <MoreRows path={list.path} sort={list.sort} {...paging} /> : null}
    </>
  );
}

type MoreRowsProps = Pick<LoadedList, 'path' | 'sort'> & Pick<Paging, 'error' | 'loading' | 'load'>;

/**
 * Shown below a list that isn't fully loaded, with a button that loads the next rows. A table also loads them
 * automatically, before the user scrolls to the table's end.
 */
const MoreRows = memo(function MoreRows({ path, sort, error, loading, load }: MoreRowsProps) {
  return (
    <Group justify="center" mt="md">
      <Text size="sm" c="dimmed" role={error ? 'alert' : undefined}>
        {error ? problemText(error) : <Loaded path={path} sort={sort} />}
      </Text>
      <Button variant="default" size="xs" onClick={load} loading={loading}>
        Show more
      </Button>
    </Group>
  );
});

/** A separate component, so that a push that adds or removes a row re-renders only this text. */
function Loaded({ path, sort }: Pick<LoadedList, 'path' | 'sort'>) {
  return `The ${sort} ${useLive(({ views }) => listAt(views, path).ids?.length)}`;
}

/** Shown above data that could not be refreshed. */
export function RefreshFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Alert color="yellow" mb="md" role="alert" title="This may be out of date">
      <Group justify="space-between">
        <Text size="sm">{problemText(error)}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          Retry
        </Button>
      </Group>
    </Alert>
  );
}
