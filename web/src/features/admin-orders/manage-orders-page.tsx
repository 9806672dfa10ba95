import { Button, Group, SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { Link, useSearchParams } from 'react-router-dom';
import { LiveListView } from '../../live/live-list-view.tsx';
import { selectIsLive } from '../../live/live-slice.ts';
import { useLiveList } from '../../live/use-live.ts';
import { OrderAnnouncer } from '../../shop/orders/order-announcer.tsx';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { AddressSearchBox, useSearchParam, useSearchText } from '../../ui/search-box.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type BoardFilter, type BoardView, boardOrders } from './admin-orders.api.ts';
import { OrderBoard } from './order-board.tsx';
import { OrderDrawer } from './order-drawer.tsx';

const ALL = 'all';
const FILTERS: { value: BoardFilter | typeof ALL; label: string }[] = [
  { value: ALL, label: 'All' },
  { value: 'paid', label: 'To deliver' },
  { value: 'unpaid', label: 'Payment pending' },
  { value: 'shipped', label: 'Shipped' },
];

function useBoardView(): BoardView {
  const [params] = useSearchParams();
  const q = useSearchText();
  const given = params.get('status');
  return useMemo(() => {
    const filter = FILTERS.find(({ value }) => value === given)?.value;
    return { status: filter === ALL ? undefined : filter, q };
  }, [given, q]);
}

export default function ManageOrdersPage() {
  usePageTitle('Manage Orders');
  const view = useBoardView();
  const show = useSearchParam('status');
  return (
    <>
      <PageHeading title="Manage Orders" text="Every order, as it is placed, paid and shipped." />
      <Group gap="sm" mb="sm">
        <SegmentedControl
          data={FILTERS}
          value={view.status ?? ALL}
          onChange={(value) => show(value === ALL ? undefined : value)}
          size="xs"
          aria-label="Orders shown"
        />
        <AddressSearchBox label="Search orders" placeholder="Order number, product, customer, email or phone" />
      </Group>
      <Board key={`${view.status} ${view.q}`} view={view} />
      <OrderDrawer />
    </>
  );
}

function Board({ view }: { view: BoardView }) {
  const shown = useLiveList(boardOrders(view));
  return (
    <LiveListView shown={shown} what="the orders">
      {(orders, paging) => (
        <>
          <OrderAnnouncer list={orders} />
          {orders.ids.length === 0 ? <NoOrders view={view} /> : <OrderBoard orders={orders} paging={paging} />}
        </>
      )}
    </LiveListView>
  );
}

function NoOrders({ view }: { view: BoardView }) {
  const live = useSelector(selectIsLive);
  if (view.q === undefined) {
    const next = live ? 'A new order appears by itself as soon as it is placed.' : 'Reload to see new orders.';
    return <EmptyState title="No orders here" text={next} />;
  }
  return (
    <EmptyState
      title="No order matches"
      text={`Nothing is found by “${view.q}”. Try fewer letters, or all orders.`}
      action={
        <Button component={Link} to="." variant="default" preventScrollReset>
          Show all orders
        </Button>
      }
    />
  );
}
