import { Button, Group, Table } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { problemText } from '../../api/problem.ts';
import { useAppDispatch, useAppSelector } from '../../app/hooks.ts';
import { ENDED, type LiveList } from '../../live/apply-push.ts';
import { growWindow } from '../../live/grow-window.ts';
import { RefreshFailed } from '../../live/refresh-failed.tsx';
import { useChangedRows } from '../../live/use-changed-rows.ts';
import { useSteadyRows } from '../../live/use-steady-rows.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import rowStyles from '../../ui/rows.module.css';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { selectSession } from '../auth/session-slice.ts';
import { CancelledOrders } from './cancelled-orders.tsx';
import { DeleteOrderDialog } from './delete-order-dialog.tsx';
import { MyOrderRow } from './my-order-row.tsx';
import { OrderAnnouncer } from './order-announcer.tsx';
import { ordersApi, useListMyOrdersQuery } from './orders.api.ts';

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
  const { data, error, isFetching, refetch } = useListMyOrdersQuery(email);
  const dispatch = useAppDispatch();
  if (data === undefined) {
    if (!error) return <LoadingState label="Loading your orders" />;
    return <ErrorState title="Your orders could not be loaded" text={problemText(error)} onRetry={refetch} />;
  }
  const showMore = () => {
    dispatch(ordersApi.util.updateQueryData('listMyOrders', email, growWindow));
    void refetch();
  };
  return (
    <>
      <OrderAnnouncer orders={data.items} />
      {error ? <RefreshFailed error={error} onRetry={refetch} /> : null}
      {data.items.length === 0 ? (
        <EmptyState
          title="No orders yet"
          text="What you buy appears here, and you can follow it until it is shipped."
          action={
            <Button component={Link} to="/allproducts">
              See all items
            </Button>
          }
        />
      ) : (
        <OrdersTable orders={data} />
      )}
      {data.next === null ? null : (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={showMore} loading={isFetching}>
            Show more
          </Button>
        </Group>
      )}
      <CancelledOrders email={email} />
    </>
  );
}

function OrdersTable({ orders }: { orders: LiveList<OrderView> }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const [cancelling, setCancelling] = useState<OrderView | null>(null);
  const changed = useChangedRows(orders.items);
  const { rows, handlers } = useSteadyRows(orders.items, (id) => orders.gone[id] === ENDED);
  return (
    <>
      <Table.ScrollContainer minWidth={760} type="native">
        <Table verticalSpacing="xs" aria-label="My orders">
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={rowStyles.figure}>No.</Table.Th>
              <Table.Th>Product</Table.Th>
              <Table.Th className={rowStyles.figure}>Quantity</Table.Th>
              <Table.Th className={rowStyles.figure}>Price</Table.Th>
              <Table.Th>Payment status</Table.Th>
              <Table.Th>Cancel</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody {...handlers}>
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
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <DeleteOrderDialog order={cancelling} onClose={() => setCancelling(null)} />
    </>
  );
}
