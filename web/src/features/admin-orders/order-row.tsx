import { Badge, Button, Table } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { memo } from 'react';
import { formatTaka } from '../../ui/format.ts';
import rowStyles from '../../ui/rows.module.css';
import styles from './order-board.module.css';

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
export const OrderRow = memo(
  function OrderRow({ order, number, left, changed, shipping, onDeliver, onCancel }: OrderRowProps) {
    return (
      <Table.Tr className={rowStyles.row} data-changed={changed || undefined} data-left={left || undefined}>
        <Table.Td className={rowStyles.figure}>{number}</Table.Td>
        <Clipped text={order.product} />
        <Clipped text={order.name} title={`${order.name}, ${order.email}`} />
        <Clipped text={order.address} />
        <Table.Td className={rowStyles.figure} ta="left">
          {order.phone}
        </Table.Td>
        <Table.Td className={rowStyles.figure}>{order.quantity}</Table.Td>
        <Table.Td className={rowStyles.figure} title={`Total ${formatTaka(order.totalPrice)}`}>
          {formatTaka(order.price)}
        </Table.Td>
        <Table.Td>
          <Status order={order} left={left} shipping={shipping} onDeliver={onDeliver} />
        </Table.Td>
        <Table.Td>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            disabled={order.paid || left}
            onClick={() => onCancel(order)}
            aria-label={`Cancel order ${number}`}
          >
            Cancel
          </Button>
        </Table.Td>
      </Table.Tr>
    );
  },
  (before, after) =>
    before.order._id === after.order._id &&
    before.order.version === after.order.version &&
    before.number === after.number &&
    before.left === after.left &&
    before.changed === after.changed &&
    before.shipping === after.shipping &&
    before.onDeliver === after.onDeliver &&
    before.onCancel === after.onCancel,
);

function Clipped({ text, title = text }: { text: string; title?: string }) {
  return (
    <Table.Td className={styles.clip} title={title}>
      {text}
    </Table.Td>
  );
}

function Status({
  order,
  left,
  shipping,
  onDeliver,
}: Pick<OrderRowProps, 'order' | 'left' | 'shipping' | 'onDeliver'>) {
  if (left) {
    return (
      <Badge color="gray" variant="light" tt="none">
        Gone
      </Badge>
    );
  }
  if (!order.paid) {
    return (
      <Badge color="yellow" variant="light" tt="none" c="var(--mantine-color-text)">
        Payment pending
      </Badge>
    );
  }
  if (order.status === 'shipped') {
    return (
      <Badge color="blue" variant="light">
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
