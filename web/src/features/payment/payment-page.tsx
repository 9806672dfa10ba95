import { Paper, Stack, Title } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { Elements } from '@stripe/react-stripe-js';
import { useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router-dom';
import { hasProblemCode, problemText } from '../../api/problem.ts';
import { useLiveEntry } from '../../live/live-document.ts';
import { useWhenBack } from '../../live/use-when-back.ts';
import { orderWith } from '../../shop/orders/orders.api.ts';
import { type OrderPageState, orderPagePath, type ReceivedPayment } from '../../shop/orders/received-payment.ts';
import { formatTaka, formatTime } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { usePageTitle } from '../../ui/page-heading.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import styles from './payment.module.css';
import { PaymentForm } from './payment-form.tsx';
import { NothingToPay, ToMyOrders } from './payment-outcome.tsx';
import { TestCards } from './test-cards.tsx';
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
  const foreign = hasProblemCode(error, 'forbidden');
  if (foreign || hasProblemCode(error, 'not_found')) {
    const title = foreign ? 'This order is not among yours' : 'This order does not exist';
    return <EmptyState title={title} text="Your orders are all listed under My orders." action={<ToMyOrders />} />;
  }
  return <ErrorState title="The order could not be loaded" text={problemText(error)} onRetry={refetch} />;
}

function Payment({ order }: { order: OrderView }) {
  const navigate = useNavigate();
  const toOrder = orderPagePath(order._id);
  // What was to be paid when the page opened, and then is, leads to the order's page: paid here, or by any other way.
  const [payable] = useState(takesPayment(order));
  if (payable && order.paid) {
    const received: ReceivedPayment = { transactionId: order.transactionId, outcome: 'recorded' };
    return <Navigate to={toOrder} state={{ received } satisfies OrderPageState} replace />;
  }
  return (
    <div className={styles.page}>
      <Summary order={order} />
      <Paper withBorder p="lg">
        {takesPayment(order) ? (
          <PayByCard
            order={order}
            onReceived={(received) =>
              navigate(toOrder, { state: { received } satisfies OrderPageState, replace: true })
            }
          />
        ) : (
          <NothingToPay order={order} />
        )}
      </Paper>
    </div>
  );
}

const takesPayment = ({ paid, cancelledAt }: OrderView) => !paid && cancelledAt === null;

type PayByCardProps = { order: OrderView; onReceived: (payment: ReceivedPayment) => void };

function PayByCard({ order, onReceived }: PayByCardProps) {
  const provider = useStripeObject();
  useWhenBack(() => {
    if (provider.state === 'failed') provider.retry();
  });
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
        <dd lang={languageOf(order.name)}>{order.name}</dd>
        <dt>Order</dt>
        <dd>{order.number}</dd>
        <dt>Product</dt>
        <dd>
          {order.product} ×{'\u00A0'}
          {order.quantity}
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
