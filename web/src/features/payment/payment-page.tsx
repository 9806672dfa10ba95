import { Anchor, Group, Paper, Stack, Title } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { Elements } from '@stripe/react-stripe-js';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, Navigate, useNavigate, useParams } from 'react-router-dom';
import { useGetClientConfigQuery } from '../../api/client-config.ts';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { hasProblemCode } from '../../api/problem.ts';
import { useLiveEntry } from '../../live/use-live-document.ts';
import { useWhenBack } from '../../live/use-when-back.ts';
import { selectSession } from '../../session/session-slice.ts';
import { isProcessing } from '../../shop/orders/money-words.ts';
import { OrderPicture } from '../../shop/orders/order-picture.tsx';
import { orderPagePath, orderWith } from '../../shop/orders/orders.api.ts';
import type { OrderPageState, ReceivedPayment } from '../../shop/orders/received-payment.ts';
import facts from '../../ui/facts.module.css';
import { formatTaka, formatTime } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { usePageTitle } from '../../ui/page-heading.tsx';
import { EmptyState, ErrorState, Spinner } from '../../ui/states.tsx';
import styles from './payment.module.css';
import { PaymentForm } from './payment-form.tsx';
import { NothingToPay, ToMyOrders } from './payment-outcome.tsx';
import { TestCards } from './test-cards.tsx';
import { type StripeObject, useStripeObject } from './use-stripe-object.ts';

/**
 * The page /dashboard/payment/:id, where :id is the order's id. The page follows the order live, and redirects if the
 * order is paid for elsewhere.
 */
export default function PaymentPage() {
  usePageTitle('Payment');
  // React renders a deferred update in slices, so a phone still responds to touch while the order and its form appear.
  const { status } = useDeferredValue(useSelector(selectSession));
  const { id = '' } = useParams();
  return (
    <Stack gap="lg">
      <Title order={1} size="h2">
        Payment
      </Title>
      {status === 'signed-in' ? <OrderToPay key={id} id={id} /> : <OnItsWay />}
    </Stack>
  );
}

function OrderToPay({ id }: { id: string }) {
  const { data, error, refetch } = useLiveEntry(orderWith(id));
  const order = useDeferredValue(data);
  const provider = useDeferredValue(useStripeObject());
  if (order) return <Payment order={order} provider={provider} />;
  if (error === null) return <OnItsWay />;
  const foreign = hasProblemCode(error, 'forbidden');
  if (foreign || hasProblemCode(error, 'not_found')) {
    const title = foreign ? 'This order is not among yours' : 'This order does not exist';
    return <EmptyState title={title} text="All your orders are listed under My orders." action={<ToMyOrders />} />;
  }
  return <NotLoaded what="the order" error={error} onRetry={refetch} />;
}

/** The parts of the page that are the same for every order, shown until the order has loaded. */
function OnItsWay() {
  return (
    <div className={styles.page}>
      <Summary />
      <Paper withBorder p="lg">
        <CardOnItsWay />
      </Paper>
    </div>
  );
}

function Payment({ order, provider }: { order: OrderView; provider: StripeObject }) {
  const navigate = useNavigate();
  const toOrder = orderPagePath(order._id);
  // If the order is paid for after this page has opened, here or elsewhere, redirect to the order's page.
  const [payable] = useState(!order.paid && order.cancelledAt === null);
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
            provider={provider}
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

const takesPayment = (order: OrderView) => !order.paid && order.cancelledAt === null && !isProcessing(order);

type PayByCardProps = { order: OrderView; provider: StripeObject; onReceived: (payment: ReceivedPayment) => void };

function PayByCard({ order, provider, onReceived }: PayByCardProps) {
  useWhenBack(() => {
    if (provider.state === 'failed') provider.retry();
  });
  switch (provider.state) {
    case 'loading':
      return <CardOnItsWay />;
    case 'not_configured':
      return (
        <EmptyState
          title="Card payment is not set up."
          text="This shop cannot accept cards at the moment. Your order is held until it expires."
          action={<ToMyOrders />}
        />
      );
    case 'failed':
      return (
        <ErrorState
          title="The card field could not be loaded."
          text="Check your connection, and make sure that nothing blocks the payment provider’s scripts."
          onRetry={provider.retry}
        />
      );
    case 'ready':
      return (
        <CardPart demo={provider.demo}>
          <Elements stripe={provider.stripe}>
            <PaymentForm order={order} onReceived={onReceived} />
          </Elements>
        </CardPart>
      );
    default:
      return provider satisfies never;
  }
}

function CardOnItsWay() {
  const { data: config } = useGetClientConfigQuery();
  return (
    <CardPart demo={config?.stripe.mode === 'demo'}>
      <div className={styles.field}>
        <Spinner label="Loading the card field" />
      </div>
    </CardPart>
  );
}

/** The heading stays where it is while the card field loads below it. */
function CardPart({ demo, children }: { demo: boolean; children: ReactNode }) {
  return (
    <Stack gap="xl">
      <Stack gap="md">
        <Title id="card-payment" order={2} size="h3">
          Card payment
        </Title>
        {children}
      </Stack>
      {demo ? <TestCards /> : null}
    </Stack>
  );
}

function Summary({ order }: { order?: OrderView }) {
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="your-order" aria-busy={order === undefined}>
      <Group wrap="nowrap" mb="md">
        <div className={styles.picture}>{order ? <OrderPicture productId={order.productId} /> : null}</div>
        <div>
          <Title id="your-order" order={2} size="h3">
            Your order
          </Title>
          {order ? (
            <Anchor component={Link} to={orderPagePath(order._id)} size="sm" underline="always">
              Order {order.number}
            </Anchor>
          ) : null}
        </div>
      </Group>
      <dl className={`${facts.facts} ${styles.summary}`}>
        <dt>Customer</dt>
        <dd lang={order && languageOf(order.name)}>{order?.name}</dd>
        <dt>Product</dt>
        <dd lang={order && languageOf(order.product)}>{order && `${order.product} ×\u00A0${order.quantity}`}</dd>
        <dt>Unit price</dt>
        <dd className={styles.figure}>{order && formatTaka(order.price)}</dd>
        <dt>Delivery</dt>
        <dd>Included</dd>
        <dt>Amount</dt>
        <dd className={styles.amount}>{order && formatTaka(order.totalPrice)}</dd>
        {order && !takesPayment(order) ? null : (
          <>
            <dt>Pay by</dt>
            <dd>{order && formatTime(order.expiresAt)}</dd>
          </>
        )}
      </dl>
    </Paper>
  );
}
