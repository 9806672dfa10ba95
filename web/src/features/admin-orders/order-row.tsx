import { Badge, Button } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { memo } from 'react';
import { DataCell, DataRow } from '../../ui/data-table.tsx';
import { formatTaka } from '../../ui/format.ts';

interface OrderRowProps {
  order: OrderView;
  /** the row's number on the screen, from 1 */
  number: number;
  left: boolean;
  changed: boolean;
  shipping: boolean;
  onDeliver: (order: OrderView) => void;
  onCancel: (order: OrderView) => void;
}

/** One order on the board. A row is drawn again only when its own order changed. */
export const OrderRow = memo(function OrderRow({
  order,
  number,
  left,
  changed,
  shipping,
  onDeliver,
  onCancel,
}: OrderRowProps) {
  return (
    <DataRow changed={changed} left={left}>
      <DataCell label="No." figure>
        {number}
      </DataCell>
      <DataCell label="Product" clip={order.product} />
      <DataCell label="Customer" clip={order.name} title={`${order.name}, ${order.email}`} />
      <DataCell label="Address" clip={order.address} lines={6} />
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
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          px={4}
          disabled={order.paid || left}
          onClick={() => onCancel(order)}
          aria-label={`Cancel order ${number}`}
        >
          Cancel
        </Button>
      </DataCell>
    </DataRow>
  );
});

function Status({
  order,
  left,
  shipping,
  onDeliver,
}: Pick<OrderRowProps, 'order' | 'left' | 'shipping' | 'onDeliver'>) {
  if (left) {
    return (
      <Badge size="sm" color="gray" variant="light" tt="none">
        Gone
      </Badge>
    );
  }
  if (!order.paid) {
    return (
      <Badge size="sm" color="yellow" variant="light" tt="none" c="var(--mantine-color-text)">
        Payment pending
      </Badge>
    );
  }
  if (order.status === 'shipped') {
    return (
      <Badge size="sm" color="blue" variant="light">
        SHIPPED
      </Badge>
    );
  }
  return (
    <Button size="compact-sm" loading={shipping} onClick={() => onDeliver(order)}>
      DELIVER
    </Button>
  );
}
