import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { IconAlertCircle, IconX } from '@tabler/icons-react';
import { memo, useRef } from 'react';
import { LiveRow } from '../../live/live-row.tsx';
import { useLastView, useView } from '../../live/use-live.ts';
import { Age } from '../../ui/age.tsx';
import { DataCell } from '../../ui/data-table.tsx';
import { formatTaka } from '../../ui/format.ts';
import { RowBadge, RowButton } from '../../ui/row-parts.tsx';
import { HeldBackBadge } from './held-back.tsx';
import styles from './order-board.module.css';
import { aheadOf, alreadyText, canShip, hasFailed, type Line } from './shippings.ts';
import { usePacker } from './use-packing.ts';

/**
 * An action on one order. The board handles the clicks for all rows, because rows may move just before a click. The
 * click may then have been meant for the row that was under the pointer a moment earlier.
 */
export type RowAction = 'select' | 'open' | 'ship' | 'cancel';

interface OrderRowProps {
  id: string;
  /**
   * whether the order is no longer in the list. Its row is still shown until the board can remove it without disturbing
   * the user.
   */
  left: boolean;
  selected: boolean;
  /** the outcome of the board's latest attempt to ship the order */
  line: Line | undefined;
}

/** One order on the board. A change to an order doesn't rerender the rows of other orders. */
export const OrderRow = memo(function OrderRow({ id, left, selected, line }: OrderRowProps) {
  const order = useLastView('order', id);
  const gone = useView('order', id) === undefined && left;
  if (order === undefined) return null;
  const { number } = order;
  return (
    <LiveRow id={id} left={gone} selected={selected}>
      <DataCell label="No.">
        <span className={styles.number}>
          <SelectBox label={`Select order ${number}`} checked={selected} />
          <span className={styles.index} />
          <button
            type="button"
            className={`${styles.open} mantine-focus-auto`}
            data-action={'open' satisfies RowAction}
            data-focus-heir
            aria-label={`Open order ${number}`}
          >
            {number}
          </button>
        </span>
      </DataCell>
      <DataCell label="Product" clip={order.product} />
      <DataCell label="Customer" clip={order.name} title={`${order.name}, ${order.email}`} />
      <DataCell label="Address" clip={order.address} />
      <DataCell label="Contact" clip={order.phone} />
      <DataCell label="Quantity" figure>
        {order.quantity}
      </DataCell>
      <DataCell label="Price" figure>
        {formatTaka(order.price)}
      </DataCell>
      <DataCell label="Status">
        <Status order={order} gone={gone} line={line} />
      </DataCell>
      <DataCell label="Total" figure>
        {formatTaka(order.totalPrice)}
      </DataCell>
      <DataCell label="Age" figure>
        <Age since={order.placedAt} />
      </DataCell>
      <DataCell label="Cancel">
        {line && hasFailed(line) && order.status !== 'shipped' ? (
          <span
            className={styles.refused}
            role="img"
            aria-label={`${line.state === 'refused' ? 'Not shipped' : 'No answer'}: ${line.reason}`}
            title={line.reason}
          >
            <IconAlertCircle size={18} aria-hidden="true" />
          </span>
        ) : (
          <RowButton tone="danger" action="cancel" disabled={order.paid || gone} label={`Cancel order ${number}`}>
            <IconX size={16} aria-hidden="true" />
          </RowButton>
        )}
      </DataCell>
    </LiveRow>
  );
});

/**
 * Returns the time of the last change of `holds`, in milliseconds on the same clock as `event.timeStamp`. Returns
 * undefined if `holds` hasn't changed since the first render.
 */
function useSince(holds: boolean): number | undefined {
  const last = useRef<{ holds: boolean; since?: number }>({ holds });
  if (last.current.holds !== holds) last.current = { holds, since: performance.now() };
  return last.current.since;
}

function Status({ order, gone, line }: { order: OrderView; gone: boolean; line: Line | undefined }) {
  const since = useSince(!gone && canShip(order, line));
  if (gone) return <RowBadge tone="gone">Cancelled</RowBadge>;
  if (!order.paid) return <RowBadge tone="pending">Payment pending</RowBadge>;
  const ahead = aheadOf(order, line);
  const isTakenBack = ahead?.state === 'withdrawing' || ahead?.state === 'withdrawn';
  if (!isTakenBack && (ahead !== undefined || order.status === 'shipped')) {
    const title = ahead?.state === 'already' ? alreadyText(ahead) : undefined;
    return (
      <RowBadge tone="shipped" busy={ahead !== undefined && ahead.state !== 'already'} title={title}>
        SHIPPED
      </RowBadge>
    );
  }
  if (order.heldBack) return <HeldBackBadge reason={order.heldBack} />;
  return (
    <span className={styles.status} data-since={since}>
      <RowButton action="ship" busy={isTakenBack} label={`DELIVER ${order.number}`}>
        DELIVER
      </RowButton>
      <Packer orderId={order._id} />
    </span>
  );
}

/** The initial of another admin who is packing the order. Its accessible label and tooltip give the full name. */
function Packer({ orderId }: { orderId: string }) {
  const name = usePacker(orderId);
  if (name === null) return null;
  return (
    <span className={styles.packer} role="img" aria-label={`${name} is packing`} title={`${name} is packing`}>
      {name.slice(0, 1)}
    </span>
  );
}

/** A checkbox that selects one order or all orders. `checked` is 'mixed' if only some of the orders are selected. */
export function SelectBox({ label, checked }: { label: string; checked: boolean | 'mixed' }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the board decides which row a click means, and an input would toggle before that
    <button
      type="button"
      role="checkbox"
      aria-checked={checked}
      aria-label={label}
      className={`${styles.check} mantine-focus-auto`}
      data-action={'select' satisfies RowAction}
    />
  );
}
