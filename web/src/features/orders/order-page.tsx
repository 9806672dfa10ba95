import { Anchor, Box, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { Link, useLocation, useParams } from 'react-router-dom';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { hasProblemCode } from '../../api/problem.ts';
import { useLiveAnswer, useLiveEntry } from '../../live/use-live-document.ts';
import { usePageState } from '../../session/use-page-state.ts';
import { CancelOrderDialog } from '../../shop/orders/cancel-order-dialog.tsx';
import { failureOf, isProcessing, PROCESSING } from '../../shop/orders/money-words.ts';
import { OrderPicture } from '../../shop/orders/order-picture.tsx';
import { OrderStepper } from '../../shop/orders/order-stepper.tsx';
import { OrderSum } from '../../shop/orders/order-sum.tsx';
import { orderWith, timelineOf, useGetPromiseQuery } from '../../shop/orders/orders.api.ts';
import type { OrderPageState, ReceivedPayment } from '../../shop/orders/received-payment.ts';
import { ShareTracking } from '../../shop/orders/share-tracking.tsx';
import facts from '../../ui/facts.module.css';
import { formatTime } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import paper from '../../ui/paper.module.css';
import { EmptyState } from '../../ui/states.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { useNow } from '../../ui/use-now.ts';
import { Delivery } from './delivery.tsx';
import styles from './order-page.module.css';
import { OrderTimeline } from './order-timeline.tsx';
import { formatSpan, orderWords, type Timeline } from './order-words.ts';
import { NotifyMe, useShippedNews } from './shipped-news.tsx';

/**
 * The page /dashboard/myorders/:id, which shows one order with live updates. The payment page redirects here after a
 * payment, and the rows of My orders link here.
 */
export default function OrderPage() {
  const { id = '' } = useParams();
  return <FollowedOrder key={id} id={id} />;
}

function FollowedOrder({ id }: { id: string }) {
  const { received: paid } = (useLocation().state ?? {}) as OrderPageState;
  const { data: order, error, refetch } = useLiveEntry(orderWith(id));
  const received = order && isOutdated(paid, order) ? undefined : paid;
  const timeline = useLiveAnswer(timelineOf(id));
  const words = order && orderWords(order, timeline);
  const news = order && (isOpen(order) || received?.outcome === 'given_back') ? received : undefined;
  useShippedNews(order);
  useKeptFocus();
  return (
    <article className={`${styles.page} ${paper.printed}`} aria-label={order ? `Order ${order.number}` : 'Order'}>
      <Stack gap="lg">
        <header>
          {order ? <Breadcrumb order={order} /> : null}
          {/* This heading must stay the same element when the order loads, because it may have the focus. */}
          <Title order={1} size="h2" mt="sm" tabIndex={-1} data-focus-heir>
            {words?.headline ?? 'Order'}
          </Title>
          {words ? (
            <Text mt="sm" mih="1lh" maw="40rem">
              {words.next}
            </Text>
          ) : null}
        </header>
        {news && order ? <Received payment={news} order={order} /> : null}
        {order ? <FailedPayment order={order} /> : null}
        {order ? <Progress order={order} received={received} /> : <NoOrder error={error} onRetry={refetch} />}
      </Stack>
      {order && words ? (
        <Stack gap="xl" className={styles.side}>
          <Receipt order={order} words={words} told={news?.transactionId === order.transactionId} />
          <Delivery order={order} />
          <ShareTracking orderId={order._id} />
          {isOpen(order) ? <NotifyMe /> : null}
        </Stack>
      ) : null}
      {order ? <History order={order} timeline={timeline} /> : null}
    </article>
  );
}

/** Whether the order itself says by now how a payment that was being processed has gone on. */
const isOutdated = (received: ReceivedPayment | undefined, order: OrderView) =>
  received?.outcome === 'processing' && (isProcessing(order) || failureOf(order) !== null);

const isOpen = ({ cancelledAt, shippedAt, heldBack }: OrderView) =>
  cancelledAt === null && shippedAt === null && heldBack === undefined;

function Breadcrumb({ order }: { order: OrderView }) {
  return (
    <Text c="dimmed" size="sm">
      <Anchor component={Link} to="/dashboard/myorders" inherit underline="always" className={paper.screenOnly}>
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
        text="All your orders are listed under My orders."
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
        <OrderStepper
          times={{ ...order, confirmedAt: order.paidAt }}
          ends={order.heldBack === 'refunded' || order.heldBack === 'lost'}
        />
      </section>
      <NextStep order={order} received={received} />
      {isOpen(order) ? <ShippedWithinADay /> : null}
    </>
  );
}

function History({ order, timeline }: { order: OrderView; timeline: Timeline & { refetch: () => void } }) {
  const { data, error, refetch } = timeline;
  return (
    <Stack component="section" aria-labelledby="history" gap="sm" align="flex-start" className={styles.history}>
      <Title id="history" order={2} size="h3">
        What happened
      </Title>
      {data === undefined && error ? (
        <NotLoaded what="the timeline" error={error} onRetry={refetch} />
      ) : (
        <OrderTimeline entries={data ?? []} told={order.transactionId} />
      )}
    </Stack>
  );
}

/** The outcome of a payment that was just made. */
function Received({ payment, order }: { payment: ReceivedPayment; order: OrderView }) {
  const { outcome, transactionId } = payment;
  const back = outcome === 'given_back';
  return (
    <Stack gap="xs" className={styles.received} role="status">
      <Title order={2} size="h3">
        {back
          ? 'This payment will be refunded.'
          : outcome === 'processing' && !order.paid
            ? PROCESSING
            : 'Congrats! Your payment is completed.'}
      </Title>
      <Text size="sm">
        Transaction id: <Code>{transactionId}</Code>
      </Text>
      {back ? <Text size="sm">The order had already been paid or cancelled when your payment arrived.</Text> : null}
      {outcome === 'late' && !order.paid ? (
        <Text size="sm">
          We received your payment. The order will show it by itself in a moment; please do not pay again.
        </Text>
      ) : null}
    </Stack>
  );
}

/** Says why the latest attempt to pay failed. */
function FailedPayment({ order }: { order: OrderView }) {
  const failure = failureOf(order);
  if (failure === null) return null;
  return (
    <Stack gap="xs" className={styles.received} data-failed role="status">
      <Title order={2} size="h3">
        {failure.text}
      </Title>
      <Text size="sm">No money was taken.</Text>
    </Stack>
  );
}

/** Offers the next step: pay, write a review, or buy the item again. */
function NextStep({ order, received }: { order: OrderView; received: ReceivedPayment | undefined }) {
  if (order.cancelledAt !== null) return <Way to={`/buypage/${order.productId}`}>Buy it again</Way>;
  if (order.status === 'shipped') {
    return <Way to={`/dashboard/addreview?item=${encodeURIComponent(order.product)}`}>Write a review</Way>;
  }
  if (order.paid || (received && received.outcome !== 'recorded')) return null;
  return <PayOrCancel order={order} />;
}

const Way = ({ to, children }: { to: string; children: string }) => (
  <Group className={paper.screenOnly}>
    <LinkButton to={to} size="md">
      {children}
    </LinkButton>
  </Group>
);

function PayOrCancel({ order }: { order: OrderView }) {
  const [asking, setAsking] = usePageState(`cancelling ${order._id}`, false);
  const left = Date.parse(order.expiresAt) - useNow((now) => now + 15_000);
  const waits = isProcessing(order);
  return (
    <Group gap="sm" className={paper.screenOnly}>
      {left > 0 && !waits ? (
        <LinkButton to={`/dashboard/payment/${order._id}`} size="md">
          PAY NOW
        </LinkButton>
      ) : null}
      <Button variant="default" size="md" onClick={() => setAsking(true)}>
        CANCEL ORDER
      </Button>
      {waits ? null : (
        <Text size="sm" c="dimmed" ms="xs">
          {left > 0
            ? `${formatSpan(left)} left to pay`
            : 'The time to pay is over: this order is about to be cancelled.'}
        </Text>
      )}
      <CancelOrderDialog order={asking ? order : null} onClose={() => setAsking(false)} />
    </Group>
  );
}

/**
 * Says how often this month's paid orders were shipped within a day. Renders nothing if there are too few orders to
 * tell (O6).
 */
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

/**
 * Shows the order's item, total and payment. If `told` is true, leaves out the transaction id, because the page already
 * shows it elsewhere.
 */
function Receipt({ order, words, told }: { order: OrderView; words: ReturnType<typeof orderWords>; told: boolean }) {
  return (
    <section aria-labelledby="receipt" className={styles.card}>
      <Group wrap="nowrap">
        <Box component={Link} to={`/items/${order.productId}`} w={96} flex="none" tabIndex={-1} aria-hidden="true">
          <OrderPicture productId={order.productId} />
        </Box>
        <div>
          <Title id="receipt" order={2} size="h3">
            <Anchor
              component={Link}
              to={`/items/${order.productId}`}
              inherit
              c="inherit"
              lang={languageOf(order.product)}
            >
              {order.product}
            </Anchor>
          </Title>
          <Text size="sm" c="dimmed">
            Quantity {order.quantity}
          </Text>
        </div>
      </Group>
      <OrderSum quantity={order.quantity} price={order.price} total={order.totalPrice} />
      <dl className={facts.receipt}>
        <dt>Payment</dt>
        <dd>{words.payment}</dd>
        {words.moneyBack.length === 0 ? null : (
          <>
            <dt>Money back</dt>
            <dd>
              {words.moneyBack.map((text) => (
                <div key={text}>{text}</div>
              ))}
            </dd>
          </>
        )}
        {order.paidAt === null || told ? null : (
          <>
            <dt>Transaction</dt>
            <dd>{order.transactionId}</dd>
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
