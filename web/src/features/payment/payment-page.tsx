import { Paper, Stack, Title } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { Elements } from '@stripe/react-stripe-js';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { hasProblemCode, problemText } from '../../api/problem.ts';
import { useLiveEntry } from '../../live/live-document.ts';
import { orderWith } from '../../shop/orders/orders.api.ts';
import { formatTaka, formatTime } from '../../ui/format.ts';
import { usePageTitle } from '../../ui/page-heading.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import styles from './payment.module.css';
import { PaymentForm } from './payment-form.tsx';
import { CancelledOrder, PaidOrder, ReceivedOnly, ToMyOrders } from './payment-outcome.tsx';
import { TestCards } from './test-cards.tsx';
import type { ReceivedPayment } from './use-card-payment.ts';
import { useStripeObject } from './use-stripe-object.ts';

/** /dashboard/payment/:id, where :id is the order. Follows the order live, however it is paid. */
export default function PaymentPage() {
  usePageTitle('Payment');
  const { id = '' } = useParams();
  return (
    <Stack gap="lg">
      <Title order={1} size="h2">
        Payment
      </Title>
      <OrderToPay key={id} id={id} />
    </Stack>
  );
}

function OrderToPay({ id }: { id: string }) {
  const { data: order, error, refetch } = useLiveEntry(orderWith(id));
  if (order) return <Payment order={order} />;
  if (error === null) return <LoadingState label="Loading the order" />;
  if (hasProblemCode(error, 'not_found')) {
    const text = 'Your orders are all listed under My orders.';
    return <EmptyState title="This order does not exist" text={text} action={<ToMyOrders />} />;
  }
  return <ErrorState title="The order could not be loaded" text={problemText(error)} onRetry={refetch} />;
}

function Payment({ order }: { order: OrderView }) {
  const [paidAtFirst] = useState(order.paid);
  const [received, setReceived] = useState<ReceivedPayment | null>(null);
  return (
    <div className={styles.page}>
      <Summary order={order} />
      <Paper withBorder p="lg">
        <NextStep order={order} received={received} fresh={!paidAtFirst} onReceived={setReceived} />
      </Paper>
    </div>
  );
}

type NextStepProps = {
  order: OrderView;
  received: ReceivedPayment | null;
  fresh: boolean;
  onReceived: (payment: ReceivedPayment) => void;
};

function NextStep({ order, received, fresh, onReceived }: NextStepProps) {
  if (received?.outcome === 'given_back') return <ReceivedOnly payment={received} />;
  if (order.cancelledAt !== null) return <CancelledOrder order={order} />;
  if (order.paid) return <PaidOrder order={order} fresh={fresh} />;
  if (received) return <ReceivedOnly payment={received} />;
  return <PayByCard order={order} onReceived={onReceived} />;
}

function PayByCard({ order, onReceived }: Pick<NextStepProps, 'order' | 'onReceived'>) {
  const provider = useStripeObject();
  switch (provider.state) {
    case 'loading':
      return <LoadingState label="Loading the card field" />;
    case 'not_configured':
      return (
        <EmptyState
          title="Card payment is not set up."
          text="This shop cannot take cards at the moment. Your order is kept until it expires."
          action={<ToMyOrders />}
        />
      );
    case 'failed':
      return (
        <ErrorState
          title="The card field could not be loaded."
          text="Check your connection, and that nothing blocks scripts of the payment provider."
          onRetry={provider.retry}
        />
      );
    case 'ready':
      return (
        <Stack gap="xl">
          <Elements stripe={provider.stripe}>
            <PaymentForm order={order} onReceived={onReceived} />
          </Elements>
          {provider.demo ? <TestCards /> : null}
        </Stack>
      );
    default:
      return provider satisfies never;
  }
}

function Summary({ order }: { order: OrderView }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label="Your order">
      <dl className={styles.summary}>
        <dt>Customer</dt>
        <dd>{order.name}</dd>
        <dt>Product</dt>
        <dd>
          {order.product} × {order.quantity}
        </dd>
        <dt>Unit price</dt>
        <dd className={styles.figure}>{formatTaka(order.price)}</dd>
        <dt>Amount</dt>
        <dd className={styles.amount}>{formatTaka(order.totalPrice)}</dd>
        {order.paid || order.cancelledAt ? null : (
          <>
            <dt>Pay by</dt>
            <dd>{formatTime(order.expiresAt)}</dd>
          </>
        )}
      </dl>
    </Paper>
  );
}
