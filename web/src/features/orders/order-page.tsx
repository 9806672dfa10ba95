import { Anchor, Button, Code, Text, Title } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { hasProblemCode } from '../../api/problem.ts';
import { useLiveAnswer, useLiveEntry } from '../../live/live-document.ts';
import { CancelOrderDialog } from '../../shop/orders/cancel-order-dialog.tsx';
import { OrderPicture } from '../../shop/orders/order-picture.tsx';
import { OrderStepper } from '../../shop/orders/order-stepper.tsx';
import { OrderSum } from '../../shop/orders/order-sum.tsx';
import { orderWith, timelineOf, useGetPromiseQuery } from '../../shop/orders/orders.api.ts';
import type { OrderPageState, ReceivedPayment } from '../../shop/orders/received-payment.ts';
import { ShareTracking } from '../../shop/orders/share-tracking.tsx';
import { formatTime } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { useNow } from '../../ui/use-now.ts';
import { Delivery } from './delivery.tsx';
import styles from './order-page.module.css';
import { OrderTimeline } from './order-timeline.tsx';
import { formatSpan, orderWords, type Timeline } from './order-words.ts';
import { NotifyMe, useShippedNews } from './shipped-news.tsx';

/** /dashboard/myorders/:id: one order, followed live, where its payment ends and its row in My orders leads. */
export default function OrderPage() {
  const { id = '' } = useParams();
  return <FollowedOrder key={id} id={id} />;
}

function FollowedOrder({ id }: { id: string }) {
  const { received } = (useLocation().state ?? {}) as OrderPageState;
  const { data: order, error, refetch } = useLiveEntry(orderWith(id));
  const timeline = useLiveAnswer(timelineOf(id));
  const words = order && orderWords(order, timeline);
  const news = order && (isOpen(order) || received?.outcome === 'given_back') ? received : undefined;
  useShippedNews(order);
  useKeptFocus();
  return (
    <article className={styles.page} aria-label={order ? `Order ${order.number}` : 'Order'}>
      <div className={styles.main}>
        <header>
          {order ? <Breadcrumb order={order} /> : null}
          {/* The same element while the order loads and after: the focus may be on it. */}
          <Title order={1} size="h2" tabIndex={-1} data-focus-heir>
            {words?.headline ?? 'Order'}
          </Title>
          {words ? <Text className={styles.next}>{words.next}</Text> : null}
        </header>
        {news && order ? <Received payment={news} order={order} /> : null}
        {order ? <Progress order={order} received={received} /> : <NoOrder error={error} onRetry={refetch} />}
      </div>
      {order && words ? (
        <div className={styles.side}>
          <Receipt order={order} payment={words.payment} told={news?.transactionId === order.transactionId} />
          <Delivery order={order} />
          <ShareTracking orderId={order._id} />
          {isOpen(order) ? <NotifyMe /> : null}
        </div>
      ) : null}
      {order ? <History order={order} timeline={timeline} /> : null}
    </article>
  );
}

const isOpen = ({ cancelledAt, shippedAt }: OrderView) => cancelledAt === null && shippedAt === null;

function Breadcrumb({ order }: { order: OrderView }) {
  return (
    <Text c="dimmed" size="sm">
      <Anchor component={Link} to="/dashboard/myorders" inherit underline="always" className={styles.screenOnly}>
        My orders
      </Anchor>
      <span className={styles.crumb}>Order {order.number}</span>
    </Text>
  );
}

function NoOrder({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (hasProblemCode(error, 'not_found') || hasProblemCode(error, 'forbidden')) {
    return (
      <EmptyState
        title="This order is not among yours"
        text="Your orders are all listed under My orders."
        action={<LinkButton to="/dashboard/myorders">My orders</LinkButton>}
      />
    );
  }
  return <NotLoaded what="the order" error={error} onRetry={onRetry} />;
}

function Progress({ order, received }: { order: OrderView; received: ReceivedPayment | undefined }) {
  return (
    <>
      <section aria-label="Progress" className={styles.card}>
        <OrderStepper times={{ ...order, confirmedAt: order.paidAt }} />
      </section>
      <NextStep order={order} received={received} />
      {isOpen(order) ? <ShippedWithinADay /> : null}
    </>
  );
}

function History({ order, timeline }: { order: OrderView; timeline: Timeline & { refetch: () => void } }) {
  const { data, error, refetch } = timeline;
  return (
    <section aria-labelledby="history" className={`${styles.part} ${styles.history}`}>
      <Title id="history" order={2} size="h3">
        What happened
      </Title>
      {data === undefined && error ? (
        <NotLoaded what="the timeline" error={error} onRetry={refetch} />
      ) : (
        <OrderTimeline entries={data ?? []} told={order.transactionId} />
      )}
    </section>
  );
}

/** What a payment that has just been made led to. */
function Received({ payment, order }: { payment: ReceivedPayment; order: OrderView }) {
  const { outcome, transactionId } = payment;
  const back = outcome === 'given_back';
  return (
    <div className={styles.received} role="status">
      <Title order={2} size="h3">
        {back ? 'This payment will be refunded.' : 'Congrats! Your payment is completed.'}
      </Title>
      <Text size="sm">
        Transaction id: <Code className={styles.code}>{transactionId}</Code>
      </Text>
      {back ? <Text size="sm">The order had been paid or cancelled in the meantime.</Text> : null}
      {outcome === 'late' && !order.paid ? (
        <Text size="sm">
          We received your payment. The order will show it by itself in a moment; please do not pay again.
        </Text>
      ) : null}
    </div>
  );
}

/** The one thing to do now: pay, review, or buy it again. */
function NextStep({ order, received }: { order: OrderView; received: ReceivedPayment | undefined }) {
  if (order.cancelledAt !== null) return <Way to={`/buypage/${order.productId}`}>Buy it again</Way>;
  if (order.status === 'shipped') {
    return <Way to={`/dashboard/addreview?item=${encodeURIComponent(order.product)}`}>Write a review</Way>;
  }
  if (order.paid || (received && received.outcome !== 'recorded')) return null;
  return <PayOrCancel order={order} />;
}

const Way = ({ to, children }: { to: string; children: string }) => (
  <div className={styles.actions}>
    <LinkButton to={to} size="md">
      {children}
    </LinkButton>
  </div>
);

function PayOrCancel({ order }: { order: OrderView }) {
  const [asking, setAsking] = useState(false);
  const left = Date.parse(order.expiresAt) - useNow((now) => now + 15_000);
  return (
    <div className={styles.actions}>
      {left > 0 ? (
        <LinkButton to={`/dashboard/payment/${order._id}`} size="md">
          PAY NOW
        </LinkButton>
      ) : null}
      <Button variant="default" size="md" onClick={() => setAsking(true)}>
        CANCEL ORDER
      </Button>
      <Text size="sm" c="dimmed" className={styles.left}>
        {left > 0 ? `${formatSpan(left)} left to pay` : 'The time to pay is over: this order is about to be cancelled.'}
      </Text>
      <CancelOrderDialog order={asking ? order : null} onClose={() => setAsking(false)} />
    </div>
  );
}

/** How fast the shop ships, out of its own log; nothing where it has too few orders to say (O6). */
function ShippedWithinADay() {
  const { data } = useGetPromiseQuery();
  if (!data) return null;
  const outOfTen = Math.floor((10 * data.inTime) / data.orders);
  return (
    <Text size="sm" c="dimmed">
      Paid orders shipped within a day {outOfTen} times out of 10 this month.
    </Text>
  );
}

/** `told`: the transaction id stands on the page already. */
function Receipt({ order, payment, told }: { order: OrderView; payment: string; told: boolean }) {
  return (
    <section aria-labelledby="receipt" className={styles.card}>
      <div className={styles.product}>
        <Link to={`/items/${order.productId}`} className={styles.picture} tabIndex={-1} aria-hidden="true">
          <OrderPicture productId={order.productId} />
        </Link>
        <div>
          <Title id="receipt" order={2} size="h3">
            <Link to={`/items/${order.productId}`} lang={languageOf(order.product)} className={styles.name}>
              {order.product}
            </Link>
          </Title>
          <Text size="sm" c="dimmed">
            Quantity {order.quantity}
          </Text>
        </div>
      </div>
      <OrderSum quantity={order.quantity} price={order.price} total={order.totalPrice} />
      <dl className={styles.facts}>
        <dt>Payment</dt>
        <dd>{payment}</dd>
        {order.paidAt === null || told ? null : (
          <>
            <dt>Transaction</dt>
            <dd className={styles.code}>{order.transactionId}</dd>
          </>
        )}
        <dt>Order</dt>
        <dd>{order.number}</dd>
        <dt>Placed</dt>
        <dd>{formatTime(order.placedAt)}</dd>
      </dl>
    </section>
  );
}
