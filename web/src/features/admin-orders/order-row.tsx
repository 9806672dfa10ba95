import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { memo } from 'react';
import { useIsChanged, useLastView } from '../../live/use-live.ts';
import { DataCell, DataRow, RowNumber } from '../../ui/data-table.tsx';
import { formatTaka } from '../../ui/format.ts';
import { RowBadge, RowButton } from '../../ui/row-parts.tsx';

interface OrderRowProps {
  id: string;
  left: boolean;
  shipping: boolean;
  onDeliver: (order: OrderView) => void;
  onCancel: (order: OrderView) => void;
}

/** One order on the board. A row is drawn again only when its own order changed. */
export const OrderRow = memo(function OrderRow({ id, left, shipping, onDeliver, onCancel }: OrderRowProps) {
  const order = useLastView('order', id);
  const changed = useIsChanged(id);
  if (order === undefined) return null;
  return (
    <DataRow changed={changed} left={left}>
      <DataCell label="No." figure title={order.number}>
        <RowNumber />
      </DataCell>
      <DataCell label="Product" clip={order.product} />
      <DataCell label="Customer" clip={order.name} title={`${order.name}, ${order.email}`} />
      <DataCell label="Address" clip={order.address} />
      <DataCell label="Contact" clip={order.phone} />
      <DataCell label="Quantity" figure>
        {order.quantity}
      </DataCell>
      <DataCell label="Price" figure title={`Total ${formatTaka(order.totalPrice)}`}>
        {formatTaka(order.price)}
      </DataCell>
      <DataCell label="Status">
        <Status order={order} left={left} shipping={shipping} onDeliver={onDeliver} />
      </DataCell>
      <DataCell label="Cancel">
        <RowButton
          tone="danger"
          disabled={order.paid || left}
          onClick={() => onCancel(order)}
          label={`Cancel order ${order.number}`}
        >
          Cancel
        </RowButton>
      </DataCell>
    </DataRow>
  );
});

type StatusProps = Pick<OrderRowProps, 'left' | 'shipping' | 'onDeliver'> & { order: OrderView };

function Status({ order, left, shipping, onDeliver }: StatusProps) {
  if (left) return <RowBadge tone="gone">Gone</RowBadge>;
  if (!order.paid) return <RowBadge tone="pending">Payment pending</RowBadge>;
  if (order.status === 'shipped') return <RowBadge tone="shipped">SHIPPED</RowBadge>;
  return (
    <RowButton busy={shipping} onClick={() => onDeliver(order)}>
      DELIVER
    </RowButton>
  );
}
