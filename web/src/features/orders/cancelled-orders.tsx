import { Badge, Button, Collapse, Text, UnstyledButton } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useLiveAnswer } from '../../live/live-document.ts';
import { cancelledOrdersOf } from '../../shop/orders/orders.api.ts';
import { formatTime } from '../../ui/format.ts';
import styles from './cancelled-orders.module.css';
import { OrderTimeline } from './order-timeline.tsx';

/** The cancelled orders, which the table leaves out, with their refunds. */
export function CancelledOrders({ email }: { email: string }) {
  const { data } = useLiveAnswer(cancelledOrdersOf(email));
  const [open, setOpen] = useState(false);
  if (data === undefined || data.length === 0) return null;
  return (
    <section aria-label="Cancelled orders">
      <Button
        variant="subtle"
        color="gray"
        size="sm"
        px={0}
        mt="xl"
        onClick={() => setOpen(!open)}
        aria-expanded={open}
      >
        Cancelled orders ({data.length})
      </Button>
      <Collapse expanded={open} keepMounted={false}>
        <ul className={styles.orders}>
          {data.map((order) => (
            <CancelledOrder key={order._id} order={order} />
          ))}
        </ul>
      </Collapse>
    </section>
  );
}

function CancelledOrder({ order }: { order: OrderView }) {
  const [open, setOpen] = useState(false);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const why = order.cancelReason === 'expired' ? 'not paid in time' : 'cancelled by you';
  return (
    <li>
      <UnstyledButton className={styles.order} onClick={() => setOpen(!open)} aria-expanded={open}>
        <Chevron size={16} aria-hidden="true" />
        <span>
          {order.quantity} × {order.product}
          <Text component="span" size="sm" c="dimmed">
            {' '}
            {order.number}, {why}
            {order.cancelledAt ? `, ${formatTime(order.cancelledAt)}` : ''}
          </Text>
        </span>
        {order.refundedAt ? (
          <Badge color="orange" variant="light" tt="none">
            Refunded
          </Badge>
        ) : null}
      </UnstyledButton>
      {open ? <OrderTimeline order={order} /> : null}
    </li>
  );
}
