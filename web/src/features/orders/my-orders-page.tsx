import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { useCallback } from 'react';
import { useSelector } from 'react-redux';
import { LiveListView } from '../../live/live-list-view.tsx';
import { selectLive } from '../../live/live-slice.ts';
import type { Paging } from '../../live/paging.ts';
import { ShowWaiting } from '../../live/show-waiting.tsx';
import { type LoadedList, useLiveList } from '../../live/use-live.ts';
import { useSteadyList } from '../../live/use-steady-ids.ts';
import { selectSession } from '../../session/session-slice.ts';
import { usePageState } from '../../session/use-page-state.ts';
import { CancelOrderDialog } from '../../shop/orders/cancel-order-dialog.tsx';
import { OrderAnnouncer } from '../../shop/orders/order-announcer.tsx';
import { ordersOf } from '../../shop/orders/orders.api.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CancelledOrders } from './cancelled-orders.tsx';
import { MyOrderRow } from './my-order-row.tsx';
import styles from './my-orders.module.css';

const COLUMNS: Column[] = [
  { label: 'No.', figure: true, width: '5.5%' },
  { label: 'Product' },
  { label: 'Quantity', figure: true, width: 'max(4.75rem, 10%)' },
  // This column is wide enough for the largest possible total, which has six digits.
  { label: 'Price', figure: true, width: 'max(7.25rem, 13%)' },
  { label: 'Payment status', width: '25%' },
  { label: 'Cancel', width: 'max(7.75rem, 16%)' },
];
const HEADINGS = {
  live: 'Your orders, from placed to shipped. This page updates by itself.',
  connecting: 'Your orders, from placed to shipped.',
  'not-live': 'Your orders, from placed to shipped. Reconnecting ...',
} as const;
const HEIGHT = { row: 69, card: 204 };

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
  const shown = useLiveList(ordersOf(email));
  return (
    <>
      <LiveListView shown={shown} what="your orders">
        {(orders, paging) => (
          <>
            <OrderAnnouncer list={orders} gone="was cancelled" />
            {orders.ids.length === 0 ? <NoOrders /> : <OrdersTable orders={orders} paging={paging} />}
          </>
        )}
      </LiveListView>
      {shown.list === undefined ? null : <CancelledOrders email={email} />}
    </>
  );
}

function NoOrders() {
  return (
    <EmptyState
      title="No orders yet"
      text="Your orders will appear here, and you can follow each one until it ships."
      action={<LinkButton to="/allproducts">See all items</LinkButton>}
    />
  );
}

function OrdersTable({ orders, paging }: { orders: LoadedList; paging: Paging }) {
  const [cancelling, setCancelling] = usePageState<OrderView | null>('cancelling my order', null);
  const { ids, left, waiting, showWaiting, handlers } = useSteadyList(orders);
  const drawRow = useCallback(
    (id: string) => <MyOrderRow id={id} left={left.has(id)} onCancel={setCancelling} />,
    [left, setCancelling],
  );
  return (
    <div className={styles.list}>
      <div {...handlers}>
        <ShowWaiting what="order" waiting={waiting} onShow={showWaiting} />
        <DataTable label="My orders" columns={COLUMNS} minWidth={720} ids={ids} height={HEIGHT} paging={paging}>
          {drawRow}
        </DataTable>
      </div>
      <CancelOrderDialog order={cancelling} onClose={() => setCancelling(null)} />
    </div>
  );
}
