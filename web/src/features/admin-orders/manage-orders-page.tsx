import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useAppDispatch } from '../../app/hooks.ts';
import { growWindow } from '../../live/grow-window.ts';
import { LiveListView } from '../../live/live-list-view.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { EmptyState } from '../../ui/states.tsx';
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
  const query = useListOrdersQuery(filter);
  const dispatch = useAppDispatch();
  return (
    <LiveListView
      query={query}
      what="the orders"
      onGrow={() => dispatch(adminOrdersApi.util.updateQueryData('listOrders', filter, growWindow))}
    >
      {(orders) => (
        <>
          <OrderAnnouncer orders={orders.items} />
          {orders.items.length === 0 ? (
            <EmptyState title="No orders here" text="A new order appears by itself as soon as it is placed." />
          ) : (
            <OrderBoard orders={orders} />
          )}
        </>
      )}
    </LiveListView>
  );
}
