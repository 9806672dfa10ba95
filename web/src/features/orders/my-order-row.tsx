import { Badge, Button, Text } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { LiveRow } from '../../live/live-row.tsx';
import { useView } from '../../live/use-live.ts';
import { failureOf, isProcessing, moneyBackTexts, PROCESSING } from '../../shop/orders/money-words.ts';
import { OrderPicture } from '../../shop/orders/order-picture.tsx';
import { orderPagePath } from '../../shop/orders/orders.api.ts';
import { DataCell, RowNumber } from '../../ui/data-table.tsx';
import { formatAmount, formatTaka, formatTime } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import styles from './my-orders.module.css';

interface MyOrderRowProps {
  id: string;
  left: boolean;
  onCancel: (order: OrderView) => void;
}

/** One order as its customer sees it. The whole row links to the order's page (O1, O2, O8). */
export const MyOrderRow = memo(function MyOrderRow({ id, left, onCancel }: MyOrderRowProps) {
  const order = useView('order', id);
  if (order === undefined) return null;
  return (
    <LiveRow id={id} left={left}>
      <DataCell label="No." figure>
        <RowNumber />
      </DataCell>
      <DataCell label="Product" title={order.product}>
        <span className={styles.product}>
          <OrderPicture productId={order.productId} />
          <span className={styles.names}>
            <Link to={orderPagePath(order._id)} lang={languageOf(order.product)} className={styles.link}>
              {order.product}
            </Link>
            <Text component="span" size="xs" c="dimmed" className={styles.number}>
              <span>{order.number}</span> <span>{formatTime(order.placedAt)}</span>
            </Text>
          </span>
        </span>
      </DataCell>
      <DataCell label="Quantity" figure>
        {order.quantity}
      </DataCell>
      <DataCell label="Price" figure>
        ${formatAmount(order.price)}
        <Text size="xs" fw={600}>
          total {formatTaka(order.totalPrice)}
        </Text>
      </DataCell>
      <DataCell label="Payment status">
        <PaymentStatus order={order} left={left} />
      </DataCell>
      <DataCell label="Cancel">
        {order.paid ? null : (
          <Button
            size="xs"
            px="sm"
            ml="-sm"
            variant="subtle"
            color="red"
            c="var(--text-danger)"
            className={styles.action}
            onClick={() => onCancel(order)}
            disabled={left}
            aria-label={`CANCEL ORDER ${order.number}`}
          >
            CANCEL ORDER
          </Button>
        )}
      </DataCell>
    </LiveRow>
  );
});

function PaymentStatus({ order, left }: { order: OrderView; left: boolean }) {
  if (order.paid) return <Paid order={order} />;
  return left ? <Text size="sm">Cancelled</Text> : <ToPay order={order} />;
}

function ToPay({ order }: { order: OrderView }) {
  if (isProcessing(order)) {
    return (
      <span className={styles.paid}>
        <span className={styles.status}>
          <Steps order={order} />
          <Text component="span" size="xs" fw={600}>
            {PROCESSING}
          </Text>
        </span>
        <Text component="span" size="xs" c="dimmed">
          until {formatTime(order.processingUntil)}
        </Text>
      </span>
    );
  }
  const failure = failureOf(order);
  return (
    <span className={styles.status}>
      <Steps order={order} />
      <LinkButton
        to={`/dashboard/payment/${order._id}`}
        size="sm"
        className={styles.action}
        aria-label={`PAY NOW ${order.number}`}
      >
        PAY NOW
      </LinkButton>
      {failure === null ? (
        <Text component="span" size="xs" c="dimmed">
          by {formatTime(order.expiresAt)}
        </Text>
      ) : (
        <Text component="span" size="xs" c="var(--text-danger)" truncate title={failure.text}>
          {failure.short}
        </Text>
      )}
    </span>
  );
}

function Paid({ order }: { order: OrderView }) {
  return (
    <span className={styles.paid}>
      <span className={styles.status}>
        <Steps order={order} />
        <Badge color="green">Paid</Badge>
        {order.status === 'shipped' ? (
          <Badge color="green">Shipped</Badge>
        ) : order.heldBack ? null : (
          <Text component="span" size="xs" c="dimmed">
            being packed
          </Text>
        )}
        <MoneyBack order={order} />
      </span>
      <Text component="span" size="xs" c="dimmed">
        Transaction: <span className={styles.transaction}>{order.transactionId}</span>
      </Text>
    </span>
  );
}

/** Older servers only say when all of an order's payment was refunded. */
export function MoneyBack({ order }: { order: OrderView }) {
  const texts = order.moneyBack ? moneyBackTexts(order) : order.refundedAt ? ['Refunded'] : [];
  return texts.map((text) => (
    <Badge key={text} color="gray">
      {text}
    </Badge>
  ));
}

const STEPS = ['placed', 'paid', 'shipped'];

/** Shows an order's progress as a dot for each step. The text next to the dots names the current step. */
function Steps({ order }: { order: OrderView }) {
  const current = order.status === 'shipped' ? 2 : order.paid ? 1 : 0;
  return (
    <span className={styles.steps} role="img" aria-label={`Step ${current + 1} of ${STEPS.length}: ${STEPS[current]}`}>
      {STEPS.map((step, index) => (
        <span key={step} data-reached={index <= current || undefined} />
      ))}
    </span>
  );
}
