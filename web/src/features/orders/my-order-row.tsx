import { ActionIcon, Badge, Button, Group, Text } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { useIsChanged, useLastView } from '../../live/use-live.ts';
import { DataCell, DataRow, RowNumber } from '../../ui/data-table.tsx';
import { formatAmount, formatTime } from '../../ui/format.ts';

interface MyOrderRowProps {
  id: string;
  left: boolean;
  open: boolean;
  onToggle: (id: string) => void;
  onCancel: (order: OrderView) => void;
}

/** One order as its customer sees it; its timeline opens below it (O1, O2). */
export const MyOrderRow = memo(function MyOrderRow(props: MyOrderRowProps) {
  const { id, left, open, onToggle, onCancel } = props;
  const order = useLastView('order', id);
  const changed = useIsChanged(id);
  if (order === undefined) return null;
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <DataRow changed={changed} left={left}>
      <DataCell label="No." figure>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => onToggle(id)}
            aria-expanded={open}
            aria-label={`Timeline of order ${order.number}: ${order.product}`}
          >
            <Chevron size={16} aria-hidden="true" />
          </ActionIcon>
          <RowNumber />
        </Group>
      </DataCell>
      <DataCell label="Product">
        {order.product}
        <Text size="xs" c="dimmed">
          {order.number}
        </Text>
      </DataCell>
      <DataCell label="Quantity" figure>
        {order.quantity}
      </DataCell>
      <DataCell label="Price" figure>
        ${formatAmount(order.price)}
        {order.quantity > 1 ? (
          <Text size="xs" c="dimmed">
            total ${formatAmount(order.totalPrice)}
          </Text>
        ) : null}
      </DataCell>
      <DataCell label="Payment status">
        <PaymentStatus order={order} disabled={left} />
      </DataCell>
      <DataCell label="Cancel">
        {order.paid ? null : (
          <Button size="xs" variant="light" color="red" onClick={() => onCancel(order)} disabled={left}>
            CANCEL ORDER
          </Button>
        )}
      </DataCell>
    </DataRow>
  );
});

function PaymentStatus({ order, disabled }: { order: OrderView; disabled: boolean }) {
  if (!order.paid) {
    return disabled ? (
      <Text size="sm">Cancelled</Text>
    ) : (
      <Group gap={8}>
        <Button component={Link} to={`/dashboard/payment/${order._id}`} size="xs">
          PAY NOW
        </Button>
        <Text size="xs" c="dimmed">
          by {formatTime(order.expiresAt)}
        </Text>
      </Group>
    );
  }
  return (
    <>
      <Group gap={8}>
        <Badge color="green" variant="light" tt="none">
          Paid
        </Badge>
        {order.status === 'shipped' ? (
          <Badge color="blue" variant="light" tt="none">
            Shipped
          </Badge>
        ) : null}
        {order.refundedAt ? (
          <Badge color="orange" variant="light" tt="none">
            Refunded
          </Badge>
        ) : null}
      </Group>
      <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
        Transaction: {order.transactionId}
      </Text>
    </>
  );
}
