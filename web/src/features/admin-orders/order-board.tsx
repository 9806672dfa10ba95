import { Button } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useCallback, useState } from 'react';
import { useSelector } from 'react-redux';
import { problemText } from '../../api/problem.ts';
import { selectIsLive } from '../../live/live-slice.ts';
import type { Paging } from '../../live/paging.ts';
import type { LoadedList } from '../../live/use-live.ts';
import { useSteadyRows } from '../../live/use-steady-rows.ts';
import { CancelOrderDialog } from '../../shop/orders/cancel-order-dialog.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useShipOrderMutation } from './admin-orders.api.ts';
import styles from './order-board.module.css';
import { OrderRow } from './order-row.tsx';

const COLUMNS: Column[] = [
  { label: 'No.', figure: true, width: '4.25%' },
  { label: 'Product', width: '14.5%' },
  { label: 'Customer', width: '12%' },
  { label: 'Address', width: '14.75%' },
  { label: 'Contact', width: '12.5%' },
  { label: 'Quantity', figure: true, width: '9.25%' },
  { label: 'Price', figure: true, width: '10%' },
  { label: 'Status', width: '15%' },
  { label: 'Cancel', width: '7.75%' },
];

const HEIGHT = { row: 40, card: 346 };

/** Everybody's orders, live, in dense rows that hold still under the pointer (A1-A3). */
export function OrderBoard({ orders, paging }: { orders: LoadedList; paging: Paging }) {
  const [cancelling, setCancelling] = useState<OrderView | null>(null);
  const { deliver, shipping, notice } = useDelivery();
  const { ids, left, waiting, showWaiting, handlers } = useSteadyRows(orders);
  const drawRow = useCallback(
    (id: string) => (
      <OrderRow id={id} left={left.has(id)} shipping={shipping.has(id)} onDeliver={deliver} onCancel={setCancelling} />
    ),
    [left, shipping, deliver],
  );
  return (
    <>
      <div {...handlers}>
        <div className={styles.waiting}>
          {waiting > 0 ? (
            <Button size="compact-xs" variant="light" onClick={showWaiting}>
              {waiting === 1 ? 'Show 1 new order' : `Show ${waiting} new orders`}
            </Button>
          ) : null}
        </div>
        <DataTable label="Orders" columns={COLUMNS} minWidth={860} dense ids={ids} height={HEIGHT} paging={paging}>
          {drawRow}
        </DataTable>
      </div>
      <CancelOrderDialog
        order={cancelling}
        title="Are you sure?"
        text={({ number, quantity, product, name }) =>
          `Order ${number} of ${quantity} × ${product} by ${name} will be cancelled.`
        }
        confirmLabel="Cancel order"
        onClose={() => setCancelling(null)}
      />
      {notice}
    </>
  );
}

/** DELIVER, and the alert that follows it. Several orders may be on their way to the server at once. */
function useDelivery() {
  const [ship] = useShipOrderMutation();
  const [shipping, setShipping] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState(false);
  const live = useSelector(selectIsLive);
  const deliver = useCallback(
    async (order: OrderView) => {
      setShipping((current) => new Set([...current, order._id]));
      const answer = await ship(order._id);
      setShipping((current) => new Set([...current].filter((id) => id !== order._id)));
      if (answer.error) toast.error(problemText(answer.error));
      else setDone(true);
    },
    [ship],
  );
  const text = `This product is set to shipped.${live ? '' : ' Please reload to see the update.'}`;
  return {
    deliver,
    shipping,
    notice: <Notice title="Shipped" text={text} opened={done} onClose={() => setDone(false)} />,
  };
}
