import { Anchor, Box, Button, Group, Stack } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectIsLive } from '../../live/live-slice.ts';
import { useLiveEntry } from '../../live/use-live-document.ts';
import { usePageState } from '../../session/use-page-state.ts';
import { CancelOrderDialog } from '../../shop/orders/cancel-order-dialog.tsx';
import { FAILURE_CLAUSES, isProcessing, moneyBackTexts } from '../../shop/orders/money-words.ts';
import { ShareTracking } from '../../shop/orders/share-tracking.tsx';
import { productWith } from '../../shop/products/product.api.ts';
import { ProductImage } from '../../shop/products/product-image.tsx';
import { Age, Ago } from '../../ui/age.tsx';
import { formatTaka, formatTime } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { RowBadge } from '../../ui/row-parts.tsx';
import { isToDeliver, slipsOf } from './admin-orders.api.ts';
import { CopyButton } from './copy-button.tsx';
import { HeldBackBadge, WHY_HELD_BACK } from './held-back.tsx';
import styles from './order-drawer.module.css';
import { OrderHistory } from './order-history.tsx';
import { DeliverForm } from './parcel-form.tsx';
import { Refund } from './refund-form.tsx';
import { Parcel, TakeBack } from './shipment.tsx';
import { usePacker, usePacking } from './use-packing.ts';

/**
 * Everything about one order, arranged as an admin needs it for packing: next step, delivery address, goods, payment,
 * history.
 */
export function OrderDetails({ order }: { order: OrderView }) {
  return (
    <Stack className={styles.details}>
      <Group gap="sm">
        <StatusBadge order={order} />
        <span className={styles.quiet}>
          Age <Age since={order.placedAt} />
        </span>
        <LinkButton to={slipsOf([order._id])} variant="default" size="compact-sm" ml="auto">
          Print slip
        </LinkButton>
      </Group>
      <Corrected order={order} />
      <NextStep order={order} />
      <Part title="Deliver to">
        <Customer order={order} />
      </Part>
      <Part title="Goods">
        <Goods order={order} />
      </Part>
      <Part title="Payment">
        <Payment order={order} />
      </Part>
      <Part title="What happened">
        <OrderHistory orderId={order._id} />
      </Part>
      <ShareTracking orderId={order._id} />
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="sm" aria-label={title} className={styles.part}>
      <h3 className={styles.title}>{title}</h3>
      {children}
    </Stack>
  );
}

function StatusBadge({ order }: { order: OrderView }) {
  if (order.cancelledAt !== null) return <RowBadge tone="gone">Cancelled</RowBadge>;
  if (!order.paid) return <RowBadge tone="pending">Payment pending</RowBadge>;
  if (order.status === 'shipped') return <RowBadge tone="shipped">SHIPPED</RowBadge>;
  if (order.heldBack) return <HeldBackBadge reason={order.heldBack} />;
  return <RowBadge tone="role">To deliver</RowBadge>;
}

/**
 * Warns that the delivery address or phone number was corrected, because a slip or label printed earlier may be wrong.
 * Renders nothing if neither was corrected, or once the order is shipped.
 */
function Corrected({ order: { deliveryChangedAt, shippedAt } }: { order: OrderView }) {
  if (deliveryChangedAt === null || shippedAt !== null) return null;
  return (
    <p className={styles.corrected} role="status">
      <IconAlertTriangle size={16} aria-hidden="true" />
      <span>
        Address or phone corrected <Ago since={deliveryChangedAt} />
      </span>
    </p>
  );
}

const WHY_CANCELLED = {
  customer: 'Cancelled by the customer.',
  admin: 'Cancelled by an admin.',
  expired: 'Cancelled because it was not paid in time.',
};

/**
 * Shows the form that ships a paid order. Once the order is shipped, shows its parcel and an undo button instead of the
 * form. For a cancelled order, shows only the reason for the cancellation. For an unpaid order, shows only the payment
 * deadline.
 */
function NextStep({ order }: { order: OrderView }) {
  // The version that the order had when the admin shipped it. `order` stays at this version until the server pushes the
  // shipped order.
  const [delivered, setDelivered] = useState<number | null>(null);
  usePacking(order._id, isToDeliver(order));
  if (order.cancelledAt !== null) {
    return <p className={styles.quiet}>{WHY_CANCELLED[order.cancelReason ?? 'customer']}</p>;
  }
  if (!order.paid) {
    const { processingUntil, expiresAt } = order;
    const deadline = formatTime(processingUntil ?? expiresAt);
    return (
      <p className={styles.quiet}>
        {processingUntil === undefined
          ? `This order will be cancelled automatically unless it is paid by ${deadline}.`
          : `The payment is being processed. This order will be cancelled automatically unless the money arrives by ${deadline}.`}
      </p>
    );
  }
  if (order.heldBack) return <HeldBack order={order} reason={order.heldBack} />;
  if (order.status !== 'shipped' && order.version !== delivered) {
    return (
      <Part title="Delivery">
        <Packer orderId={order._id} />
        <DeliverForm order={order} onDelivered={() => setDelivered(order.version)} />
      </Part>
    );
  }
  return (
    <Part title="Shipment">
      {delivered === null ? null : <Delivered />}
      {order.status === 'shipped' ? (
        <Fragment key={order.shipment}>
          <Parcel order={order} />
          <TakeBack order={order} />
        </Fragment>
      ) : null}
    </Part>
  );
}

/** Says why the order can't be shipped. Unless a bank can still decide for the shop, the order can be cancelled instead. */
function HeldBack({ order, reason }: { order: OrderView; reason: NonNullable<OrderView['heldBack']> }) {
  const [asking, setAsking] = usePageState(`cancelling ${order._id}`, false);
  return (
    <Part title="Delivery">
      <p>This order cannot be shipped: {WHY_HELD_BACK[reason]}</p>
      {reason === 'disputed' ? null : (
        <Button variant="default" onClick={() => setAsking(true)}>
          Cancel order
        </Button>
      )}
      <CancelOrderDialog byAdmin order={asking ? order : null} onClose={() => setAsking(false)} />
    </Part>
  );
}

function Packer({ orderId }: { orderId: string }) {
  const name = usePacker(orderId);
  if (name === null) return null;
  return (
    <p className={styles.quiet} role="status">
      {name} is packing this order.
    </p>
  );
}

function Delivered() {
  const live = useSelector(selectIsLive);
  return (
    <p className={styles.quiet} role="status">
      This product is set to shipped.{live ? '' : ' Please reload to see the update.'}
    </p>
  );
}

function Customer({ order: { name, email, phone, address } }: { order: OrderView }) {
  return (
    <Stack gap="xs" align="flex-start">
      <strong lang={languageOf(name)}>{name}</strong>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <address lang={languageOf(address)}>{address}</address>
        <CopyButton text={`${name}\n${address}\n${phone}`} what="address" />
      </Group>
      <Group gap="sm">
        <Anchor inherit href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
          {phone}
        </Anchor>
        <CopyButton text={phone} what="phone number" />
      </Group>
      <Anchor inherit href={`mailto:${email}`}>
        {email}
      </Anchor>
    </Stack>
  );
}

function Goods({ order }: { order: OrderView }) {
  const { data: product } = useLiveEntry(productWith(order.productId));
  const { quantity, price, totalPrice } = order;
  return (
    <Group wrap="nowrap">
      <Box w={96} flex="none">
        <ProductImage src={product?.img1 ?? ''} alt="" eager />
      </Box>
      <Stack gap="xs" align="flex-start">
        <Anchor inherit component={Link} to={`/items/${order.productId}`} fw={600} lang={languageOf(order.product)}>
          {order.product}
        </Anchor>
        <span>
          <strong>{quantity}</strong> × {formatTaka(price)}
        </span>
        <span>
          Total <strong>{formatTaka(totalPrice)}</strong>
        </span>
      </Stack>
    </Group>
  );
}

function Payment({ order }: { order: OrderView }) {
  const { paidAt, transactionId, refundedAt, moneyBack, paymentFailure } = order;
  const failed = paymentFailure === undefined || paidAt !== null ? null : FAILURE_CLAUSES[paymentFailure];
  return (
    <Stack gap="xs" align="flex-start">
      <span>
        {paidAt !== null ? `Paid ${formatTime(paidAt)}` : isProcessing(order) ? 'Being processed' : 'Not paid'}
      </span>
      {failed === null ? null : <span>The last attempt failed: {failed}</span>}
      {refundedAt === null || moneyBack ? null : <span>Refunded {formatTime(refundedAt)}</span>}
      {moneyBackTexts(order).map((text) => (
        <span key={text}>{text}</span>
      ))}
      {transactionId === '' ? null : (
        <Group gap="sm">
          <code>{transactionId}</code>
          <CopyButton text={transactionId} what="payment id" />
        </Group>
      )}
      <Refund order={order} />
    </Stack>
  );
}
