import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import type { RefObject } from 'react';
import { useStore } from 'react-redux';
import type { LiveRoot } from '../../live/follow.ts';
import { viewOf } from '../../live/view-map.ts';
import { useBoard } from './board-context.ts';
import { WHY_HELD_BACK } from './held-back.tsx';
import type { RowAction } from './order-row.tsx';
import { focusRow } from './row-focus.ts';
import { canShip } from './shippings.ts';

/**
 * Returns functions that ship orders from the board's rows. Each request names the newest version of the order that
 * this page has received.
 */
export function useShipRows(ids: readonly string[], area: RefObject<HTMLElement | null>) {
  const { lines, ship } = useBoard().shipping;
  const store = useStore<LiveRoot>();
  const orderOf = (id: string) => viewOf(store.getState().views.known.order.views, id) as OrderView | undefined;
  /** Returns the order if it can be shipped, and undefined otherwise. */
  const toShip = (id: string) => {
    const order = orderOf(id);
    return order !== undefined && canShip(order, lines.get(id)) ? order : undefined;
  };

  /**
   * Moves the focus to the `action` control of the next row whose order can be shipped: the nearest such row below
   * index `at` or, if there is none, the nearest above. If no other order can be shipped, the focus moves to the order
   * number in row `at`.
   */
  const focusNext = (at: number, action: RowAction) => {
    const below = ids.findIndex((id, index) => index > at && toShip(id));
    const next = below === -1 ? ids.findLastIndex((id, index) => index < at && toShip(id)) : below;
    focusRow(area.current, next === -1 ? at : next, next === -1 ? 'open' : action);
  };
  /** Ships an order and moves the focus to the `action` control of the next row. If the order can't be shipped, only returns the reason. */
  const shipRow = (id: string, action: RowAction): string | undefined => {
    const order = toShip(id);
    if (order === undefined) return whyNotShipped(orderOf(id));
    void ship([order]);
    // The pressed button disappears, so the focus has to move.
    focusNext(ids.indexOf(id), action);
    return undefined;
  };
  /** Ships all `chosen` orders that can be shipped. Returns a reason if none of them can. */
  const shipAll = (chosen: Iterable<string>): string | undefined => {
    const orders = [...chosen].flatMap((id) => toShip(id) ?? []);
    const [only, ...others] = chosen;
    if (orders.length === 0) {
      return others.length > 0 || only === undefined
        ? 'none of the selected orders can be shipped.'
        : whyNotShipped(orderOf(only));
    }
    void ship(orders);
    return undefined;
  };
  return { orderOf, shipRow, shipAll };
}

function whyNotShipped(order: OrderView | undefined): string {
  if (order === undefined) return 'this order is cancelled.';
  if (order.heldBack) return `${order.number} cannot be shipped: ${WHY_HELD_BACK[order.heldBack]}`;
  return `${order.number} is ${order.paid ? 'shipped already' : 'not paid yet'}.`;
}
