import { Button } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useCallback, useMemo, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { useAppDispatch } from '../../api/shop-api.ts';
import type { LiveList } from '../../live/apply-push.ts';
import { LiveListView } from '../../live/live-list-view.tsx';
import { selectLive } from '../../live/live-slice.ts';
import type { Paging } from '../../live/next-page.ts';
import { useChangedRows } from '../../live/use-changed-rows.ts';
import { useSteadyRows } from '../../live/use-steady-rows.ts';
import { selectSession } from '../../session/session-slice.ts';
import { CancelOrderDialog } from '../../shop/orders/cancel-order-dialog.tsx';
import { OrderAnnouncer } from '../../shop/orders/order-announcer.tsx';
import { ordersApi, useListMyOrdersQuery } from '../../shop/orders/orders.api.ts';
import { type Column, DataDetail, DataTable } from '../../ui/data-table.tsx';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CancelledOrders } from './cancelled-orders.tsx';
import { MyOrderRow } from './my-order-row.tsx';
import { OrderTimeline } from './order-timeline.tsx';

const COLUMNS: Column[] = [
  { label: 'No.', figure: true },
  { label: 'Product' },
  { label: 'Quantity', figure: true },
  { label: 'Price', figure: true },
  { label: 'Payment status' },
  { label: 'Cancel' },
];
const HEADINGS = {
  live: 'Orders move here by themselves, from placed to shipped.',
  connecting: 'Your orders, from placed to shipped.',
  'not-live': 'Your orders, from placed to shipped. Reload to see what has changed.',
} as const;
const HEIGHT = { row: 59, card: 277 };

export default function MyOrdersPage() {
  usePageTitle('My orders');
  const { email } = useSelector(selectSession);
  const { state } = useSelector(selectLive);
  return (
    <>
      <PageHeading title="My orders" text={HEADINGS[state]} />
      {email === null ? null : <Orders email={email} />}
    </>
  );
}

function Orders({ email }: { email: string }) {
  const query = useListMyOrdersQuery(email);
  const dispatch = useAppDispatch();
  return (
    <>
      <LiveListView
        kind="order"
        query={query}
        what="your orders"
        update={(recipe) => dispatch(ordersApi.util.updateQueryData('listMyOrders', email, recipe))}
      >
        {(orders, paging) => (
          <>
            <OrderAnnouncer orders={orders} />
            {orders.items.length === 0 ? <NoOrders /> : <OrdersTable orders={orders} paging={paging} />}
          </>
        )}
      </LiveListView>
      {query.data === undefined ? null : <CancelledOrders email={email} />}
    </>
  );
}

function NoOrders() {
  return (
    <EmptyState
      title="No orders yet"
      text="What you buy appears here, and you can follow it until it is shipped."
      action={
        <Button component={Link} to="/allproducts">
          See all items
        </Button>
      }
    />
  );
}

function OrdersTable({ orders, paging }: { orders: LiveList<OrderView>; paging: Paging }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const [cancelling, setCancelling] = useState<OrderView | null>(null);
  const changed = useChangedRows(orders);
  const { rows, left, handlers } = useSteadyRows(orders);
  const { entries, openAt } = useMemo(() => withTimeline(rows, openId), [rows, openId]);
  const toggle = useCallback((order: OrderView) => setOpenId((id) => (id === order._id ? null : order._id)), []);
  const drawRow = useCallback(
    (entry: OrderView | TimelineRow, index: number) =>
      'timelineOf' in entry ? (
        <DataDetail columns={COLUMNS.length}>
          <OrderTimeline order={entry.timelineOf} />
        </DataDetail>
      ) : (
        <MyOrderRow
          order={entry}
          number={index > openAt && openAt !== -1 ? index : index + 1}
          left={left.has(entry._id)}
          changed={changed.has(entry._id)}
          open={openId === entry._id}
          onToggle={toggle}
          onCancel={setCancelling}
        />
      ),
    [openAt, left, changed, openId, toggle],
  );
  return (
    <>
      <DataTable
        label="My orders"
        columns={COLUMNS}
        minWidth={760}
        rows={entries}
        height={HEIGHT}
        paging={paging}
        {...handlers}
      >
        {drawRow}
      </DataTable>
      <CancelOrderDialog
        order={cancelling}
        title="Delete Order"
        text={({ number, quantity, product }) => `Your order ${number} of ${quantity} × ${product} will be cancelled.`}
        confirmLabel="Delete"
        onClose={() => setCancelling(null)}
      />
    </>
  );
}

/** The open order's timeline: a row of its own below the order's. */
type TimelineRow = { _id: string; timelineOf: OrderView };

/** The rows with the open order's timeline inserted, and that order's index; -1 if none is open. */
function withTimeline(rows: readonly OrderView[], openId: string | null) {
  const openAt = openId === null ? -1 : rows.findIndex(({ _id }) => _id === openId);
  const order = rows[openAt];
  if (order === undefined) return { entries: rows, openAt: -1 };
  const timeline: TimelineRow = { _id: `timeline of ${order._id}`, timelineOf: order };
  return { entries: [...rows.slice(0, openAt + 1), timeline, ...rows.slice(openAt + 1)], openAt };
}
