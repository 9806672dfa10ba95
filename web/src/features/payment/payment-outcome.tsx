import { Button, Code, Stack, Text, Title } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { formatTime } from '../../ui/format.ts';
import { EmptyState } from '../../ui/states.tsx';
import type { ReceivedPayment } from './use-card-payment.ts';

export function ToMyOrders() {
  return (
    <Button component={Link} to="/dashboard/myorders" variant="default">
      My orders
    </Button>
  );
}

type OutcomeProps = { title: string; transactionId: string; children?: ReactNode };

function Outcome({ title, transactionId, children }: OutcomeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <Stack gap="sm" align="flex-start" role="status">
      <Title ref={heading} order={2} size="h3" tabIndex={-1}>
        {title}
      </Title>
      <Text>
        Transaction id: <Code>{transactionId}</Code>
      </Text>
      {children}
      <ToMyOrders />
    </Stack>
  );
}

/** The order's money is there. `fresh`: it came while this page was open, by this page or by any other way. */
export function PaidOrder({ order, fresh }: { order: OrderView; fresh: boolean }) {
  return (
    <Outcome
      title={fresh ? 'Congrats! Your payment is completed.' : 'This order is paid.'}
      transactionId={order.transactionId}
    >
      {order.paidAt ? <Text c="dimmed">Paid {formatTime(order.paidAt)}</Text> : null}
    </Outcome>
  );
}

/** The money was taken and the order does not show it, or not any more. */
export function ReceivedOnly({ payment }: { payment: ReceivedPayment }) {
  const { outcome, transactionId } = payment;
  if (outcome === 'given_back') {
    return (
      <Outcome title="This payment will be refunded." transactionId={transactionId}>
        <Text>The order had been paid or cancelled in the meantime.</Text>
      </Outcome>
    );
  }
  return (
    <Outcome title="Congrats! Your payment is completed." transactionId={transactionId}>
      {outcome === 'late' ? (
        <Text>We received your payment. The order will show it by itself in a moment; please do not pay again.</Text>
      ) : null}
    </Outcome>
  );
}

export function CancelledOrder({ order }: { order: OrderView }) {
  const why =
    order.cancelReason === 'expired'
      ? 'It was not paid in time, so it was cancelled.'
      : 'You cancelled this order, so there is nothing to pay.';
  const refunded = order.refundedAt ? ` A payment for it was refunded on ${formatTime(order.refundedAt)}.` : '';
  return <EmptyState title="This order is cancelled." text={why + refunded} action={<ToMyOrders />} />;
}
