import { Button } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useAppDispatch, useAppSelector } from '../../app/hooks.ts';
import { ENDED, type LiveList } from '../../live/apply-push.ts';
import { growWindow } from '../../live/grow-window.ts';
import { LiveListView } from '../../live/live-list-view.tsx';
import { useChangedRows } from '../../live/use-changed-rows.ts';
import { useSteadyRows } from '../../live/use-steady-rows.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { EmptyState } from '../../ui/states.tsx';
import { selectSession } from '../auth/session-slice.ts';
import { CancelOrderDialog } from './cancel-order-dialog.tsx';
import { CancelledOrders } from './cancelled-orders.tsx';
import { MyOrderRow } from './my-order-row.tsx';
import { OrderAnnouncer } from './order-announcer.tsx';
import { ordersApi, useListMyOrdersQuery } from './orders.api.ts';

const COLUMNS: Column[] = [
  { label: 'No.', figure: true },
  { label: 'Product' },
  { label: 'Quantity', figure: true },
  { label: 'Price', figure: true },
  { label: 'Payment status' },
  { label: 'Cancel' },
];

export default function MyOrdersPage() {
  usePageTitle('My Orders');
  const { email } = useAppSelector(selectSession);
  return (
    <>
      <PageHeading title="My orders" text="Orders move here by themselves, from placed to shipped." />
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
        query={query}
        what="your orders"
        onGrow={() => dispatch(ordersApi.util.updateQueryData('listMyOrders', email, growWindow))}
      >
        {(orders) => (
          <>
            <OrderAnnouncer orders={orders.items} />
            {orders.items.length === 0 ? <NoOrders /> : <OrdersTable orders={orders} />}
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

function OrdersTable({ orders }: { orders: LiveList<OrderView> }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const [cancelling, setCancelling] = useState<OrderView | null>(null);
  const changed = useChangedRows(orders.items);
  const { rows, handlers } = useSteadyRows(orders.items, (id) => orders.gone[id] === ENDED);
  return (
    <>
      <DataTable label="My orders" columns={COLUMNS} minWidth={760} {...handlers}>
        {rows.map(({ view, left }, index) => (
          <MyOrderRow
            key={view._id}
            order={view}
            number={index + 1}
            left={left}
            changed={changed.has(view._id)}
            open={openId === view._id}
            onToggle={() => setOpenId(openId === view._id ? null : view._id)}
            onCancel={() => setCancelling(view)}
          />
        ))}
      </DataTable>
      <CancelOrderDialog
        order={cancelling}
        title="Delete Order"
        text={({ quantity, product }) => `Your order of ${quantity} × ${product} will be cancelled.`}
        confirmLabel="Delete"
        onClose={() => setCancelling(null)}
      />
    </>
  );
}
