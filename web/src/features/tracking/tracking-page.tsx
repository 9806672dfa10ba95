import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { TrackingView } from '@micro-center/services/contracts/tracking/tracking-view.ts';
import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useParams } from 'react-router-dom';
import { hasProblemCode, problemText } from '../../api/problem.ts';
import { selectLive, trackingFollowed } from '../../live/live-slice.ts';
import { useLiveEntry } from '../../live/use-live-document.ts';
import { OrderStepper } from '../../shop/orders/order-stepper.tsx';
import { Parcel } from '../../shop/orders/parcel.tsx';
import { ProductImage } from '../../shop/products/product-image.tsx';
import { languageOf } from '../../ui/language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { usePageTitle } from '../../ui/page-heading.tsx';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { trackedBy } from './tracking.api.ts';
import styles from './tracking-page.module.css';

/**
 * The tracking page at /track/:token, which anyone with the link can open without an account. It shows nothing about
 * the customer (TRACK1).
 */
export default function TrackingPage() {
  const { token = '' } = useParams();
  const [gone, setGone] = useState<string | null>(null);
  usePageTitle('Order tracking');
  if (gone === token) return <NothingToTrack />;
  return <Tracked key={token} token={token} onGone={() => setGone(token)} />;
}

/**
 * Shows the order that a tracking link leads to. An expired or withdrawn link never works again, so `onGone` must
 * unmount this component. Otherwise, the component would keep fetching the order and connecting with the link's token.
 */
function Tracked({ token, onGone }: { token: string; onGone: () => void }) {
  const { data: order, error, refetch } = useLiveEntry(trackedBy(token));
  const gone = hasProblemCode(error, 'not_found');
  const dispatch = useDispatch();
  useEffect(() => {
    dispatch(trackingFollowed(token));
    return () => void dispatch(trackingFollowed(null));
  }, [dispatch, token]);
  useEffect(() => {
    if (gone) onGone();
  }, [gone, onGone]);
  if (gone) return <NothingToTrack />;
  if (order) return <Order order={order} />;
  if (error) return <ErrorState title="The order cannot be shown" text={problemText(error)} onRetry={refetch} />;
  return <LoadingState label="Loading the order" />;
}

/**
 * Shown for a withdrawn, expired or mistyped link. The page doesn't say which of these applies, and refers the visitor
 * to the person who sent the link.
 */
function NothingToTrack() {
  return (
    <Stack className={styles.page}>
      <Text fw={600}>Order tracking</Text>
      <div className={styles.card} data-status="gone">
        <div>
          <Title order={1}>This tracking link does not work</Title>
          <Text mt="sm" maw="34rem" textWrap="pretty">
            The link may be incomplete or no longer valid. Ask the person who sent it to you for a new one.
          </Text>
        </div>
        <LinkButton to="/" variant="default" className={styles.way}>
          Go to the home page
        </LinkButton>
      </div>
    </Stack>
  );
}

const WORDS: Record<TrackingView['status'], { headline: string; next: string }> = {
  placed: { headline: 'Order placed', next: 'Next, the shop confirms the order. Then it is packed and shipped.' },
  confirmed: { headline: 'Getting ready', next: 'Next, the shop packs the order and hands it to the carrier.' },
  shipped: { headline: 'On its way', next: 'It has left the shop. Next, the carrier brings it to the door.' },
  cancelled: { headline: 'Cancelled', next: 'This order was cancelled. Nothing more will be shipped.' },
};

const FOLLOWING = {
  live: 'This page updates by itself.',
  connecting: 'Connecting to the shop.',
  'not-live': 'Reconnecting ...',
} as const;

function Order({ order }: { order: TrackingView }) {
  const { headline, next } = WORDS[order.status];
  const { state } = useSelector(selectLive);
  return (
    <Stack component="article" className={styles.page} aria-label={`Order ${order.number}`}>
      <Group component="header" justify="space-between" align="baseline" gap="sm">
        <Text fw={600}>Order {order.number}</Text>
        <Text size="sm" c="dimmed">
          {FOLLOWING[state]}
        </Text>
      </Group>
      <div className={styles.card} data-status={order.status}>
        <div>
          <Title order={1}>{headline}</Title>
          <Text mt="sm" maw="34rem" textWrap="pretty">
            {next}
          </Text>
        </div>
        <OrderStepper times={order} confirmed="Confirmed" />
        <Parcel carrier={order.carrier} trackingNumber={order.trackingNumber} />
        <Group wrap="nowrap" className={styles.product}>
          <Box w="20%" miw={96} flex="none">
            <ProductImage src={order.img1} alt="" eager />
          </Box>
          <div>
            <Title order={2} lang={languageOf(order.product)}>
              {order.product}
            </Title>
            <Text c="dimmed">Quantity: {order.quantity}</Text>
          </div>
        </Group>
      </div>
      <Text size="sm" c="dimmed">
        Anyone with the link can see this page. It does not show the customer's name, address or payment.
      </Text>
    </Stack>
  );
}
