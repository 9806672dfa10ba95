import { Anchor, Box, Button, Collapse, Group, Text } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useLiveAnswer } from '../../live/use-live-document.ts';
import { cancelledOrdersOf, orderPagePath } from '../../shop/orders/orders.api.ts';
import { formatTime } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { MoneyBack } from './my-order-row.tsx';

/** Lists the customer's cancelled orders, which aren't in the My orders table. Each order links to its own page. */
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
        <Box component="ul" mt="sm">
          {data.map((order) => (
            <CancelledOrder key={order._id} order={order} />
          ))}
        </Box>
      </Collapse>
    </section>
  );
}

const WHY = { customer: 'cancelled by you', admin: 'cancelled by the shop', expired: 'not paid in time' };

function CancelledOrder({ order }: { order: OrderView }) {
  return (
    <Group component="li" gap="sm" mih={40}>
      <Anchor component={Link} to={orderPagePath(order._id)} inherit c="inherit" underline="always">
        {order.quantity} × <span lang={languageOf(order.product)}>{order.product}</span>
      </Anchor>
      <Text component="span" size="sm" c="dimmed">
        {order.number}, {WHY[order.cancelReason ?? 'customer']}
        {order.cancelledAt ? `, ${formatTime(order.cancelledAt)}` : ''}
      </Text>
      <MoneyBack order={order} />
    </Group>
  );
}
