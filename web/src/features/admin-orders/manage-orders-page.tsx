import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { problemText } from '../../api/problem.ts';
import { useAppDispatch } from '../../app/hooks.ts';
import { growWindow } from '../../live/grow-window.ts';
import { RefreshFailed } from '../../live/refresh-failed.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { OrderAnnouncer } from '../orders/order-announcer.tsx';
import { adminOrdersApi, type BoardFilter, useListOrdersQuery } from './admin-orders.api.ts';
import { OrderBoard } from './order-board.tsx';

const FILTERS: { value: BoardFilter | 'all'; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'paid', label: 'To deliver' },
  { value: 'unpaid', label: 'Payment pending' },
  { value: 'shipped', label: 'Shipped' },
];

export default function ManageOrdersPage() {
  usePageTitle('Manage Orders');
  const [shown, setShown] = useState<BoardFilter | 'all'>('all');
  return (
    <>
      <PageHeading title="Manage Orders" text="Every order, as it is placed, paid and shipped." />
      <SegmentedControl data={FILTERS} value={shown} onChange={setShown} size="xs" mb="sm" aria-label="Orders shown" />
      <Board key={shown} filter={shown === 'all' ? undefined : shown} />
    </>
  );
}

function Board({ filter }: { filter: BoardFilter | undefined }) {
  const { data, error, isFetching, refetch } = useListOrdersQuery(filter);
  const dispatch = useAppDispatch();
  if (data === undefined) {
    if (!error) return <LoadingState label="Loading the orders" />;
    return <ErrorState title="The orders could not be loaded" text={problemText(error)} onRetry={refetch} />;
  }
  const showMore = () => {
    dispatch(adminOrdersApi.util.updateQueryData('listOrders', filter, growWindow));
    void refetch();
  };
  return (
    <>
      <OrderAnnouncer orders={data.items} />
      {error ? <RefreshFailed error={error} onRetry={refetch} /> : null}
      {data.items.length === 0 ? (
        <EmptyState title="No orders here" text="A new order appears by itself as soon as it is placed." />
      ) : (
        <OrderBoard orders={data} />
      )}
      {data.next === null ? null : (
        <Group justify="center" mt="md">
          <Text size="sm" c="dimmed">
            The newest {data.items.length} orders
          </Text>
          <Button variant="default" size="xs" onClick={showMore} loading={isFetching}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}
