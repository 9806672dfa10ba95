import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { isToDeliver } from './admin-orders.api.ts';

/**
 * How long the board offers to undo a shipment after the response to the ship request, in milliseconds. This is the
 * shop's limit for undoing a shipment without a reason.
 */
export const UNDO_FOR = 30_000;

/** An order that was shipped from this board, and the state of its undo. */
export interface ShippedLine {
  order: OrderView;
  /**
   * `withdrawing` while an undo is in progress, then `withdrawn`, or `kept` if the shop refused the undo. If the undo
   * gets no response, the state goes back to `shipped`, so that the next undo sends the request again.
   */
  state: 'shipped' | 'withdrawing' | 'withdrawn' | 'kept';
  /** the order's version after it was shipped */
  version: number;
  /** the shipment's number within its order, counted from 1, or null if the response didn't include it */
  shipment: number | null;
  /** why the last undo was refused or got no response */
  reason?: string | undefined;
}

/** An order that was not shipped, as far as this board knows. If the response was lost, the shop may still have shipped it. */
interface FailedLine {
  order: OrderView;
  state: 'refused' | 'unanswered';
  reason: string;
  error?: unknown;
}

/**
 * One order of a ship request, and its outcome so far. `order` is the order as the admin saw it when the request was
 * sent.
 */
export type Line =
  | { order: OrderView; state: 'sending' }
  | FailedLine
  | {
      order: OrderView;
      state: 'already';
      by: string | null;
      at: string | null;
      /** the order's version in the response that reported it as already shipped */
      version: number;
      /** the tracking number that was sent but not recorded */
      unrecorded?: string | undefined;
    }
  | ShippedLine;

/** Whether the order in `line` was shipped by the board's own request, even if the shipment has since been undone. */
export const wasShipped = (line: Line): line is ShippedLine => 'shipment' in line;
export const canBeTakenBack = ({ state }: Line): boolean => state === 'shipped';

export const hasFailed = (line: Line): line is FailedLine => line.state === 'refused' || line.state === 'unanswered';

/**
 * Whether `now`, the newest known view of `line`'s order, shows the order as shipped. Undefined if `now` is missing or
 * isn't newer than the view that `line` contains.
 */
export const isShippedBy = ({ order }: Line, now: OrderView | undefined): boolean | undefined =>
  now === undefined || now.version <= order.version ? undefined : now.status === 'shipped';

/**
 * Returns `line` if it is newer than `order`, which is the newest known view of the line's order, and undefined
 * otherwise. A failed or `kept` line is never newer. While a line is newer, it determines the status that the order's
 * row shows.
 *
 * An order is shipped only if its version is still the one that the admin saw, and shipping raises the version. A
 * `sending` or `shipped` line is therefore newer until a version above the one that the admin saw is pushed. An `already`,
 * `withdrawing` or `withdrawn` line is newer until a version above that of the shop's response is pushed.
 */
export function aheadOf(order: OrderView, line: Line | undefined): Line | undefined {
  if (line === undefined || hasFailed(line) || line.state === 'kept') return undefined;
  const asOf = line.state === 'sending' || line.state === 'shipped' ? line.order.version : line.version;
  return order.version <= asOf ? line : undefined;
}

/** Whether an order can be shipped from the board: with its row's DELIVER button, with the s key, or as part of a selection. */
export const canShip = (order: OrderView, line: Line | undefined): boolean =>
  isToDeliver(order) && aheadOf(order, line) === undefined;

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Says who already shipped the order, and when, e.g. 'shipped already by Farhana at 14:05'. */
export function alreadyText({ by, at }: Extract<Line, { state: 'already' }>): string {
  return `shipped already${by === null ? '' : ` by ${by}`}${at === null ? '' : ` at ${timeOfDay.format(new Date(at))}`}`;
}

/** One or more orders that were shipped together from this board, and the state of their undo. */
export interface Shipping {
  /**
   * prefix of the requests' Idempotency-Keys. The keys make retries safe. A request that ships a single order is sent
   * without a key, because the order's version already makes a retry safe.
   */
  key: string;
  state: 'sending' | 'shipped' | 'undoing' | 'undone';
  lines: readonly Line[];
  /** when the response arrived, in milliseconds since the epoch according to the shop's clock, or 0 until it arrives */
  at: number;
}

/** Every `Shipping` from this board, oldest first, and the `key` of the `Shipping` that the notice shows. */
interface Shippings {
  all: readonly Shipping[];
  shown: string | null;
}

export const NO_SHIPPINGS: Shippings = { all: [], shown: null };

/** Returns each order's newest line, by order id. */
export const newestLines = (all: readonly Shipping[]): ReadonlyMap<string, Line> =>
  new Map(all.flatMap(({ lines }) => lines.map((line) => [line.order._id, line] as const)));

/**
 * Returns the newest `Shipping` that can be undone. Either its ship request is still in flight, in which case the undo
 * waits for the response, or the response arrived less than `UNDO_FOR` ago and at least one line of the `Shipping` is
 * still `shipped`.
 */
export const nextUndo = ({ all }: Shippings, now: number): Shipping | undefined =>
  all.findLast(
    ({ state, at, lines }) =>
      state === 'sending' || (state !== 'undoing' && now < at + UNDO_FOR && lines.some(canBeTakenBack)),
  );

/**
 * Adds a `Shipping`. If it contains only one order, the notice doesn't show it until the response arrives, because a
 * response usually arrives before anyone could read the notice.
 */
export const began = ({ all, shown }: Shippings, shipping: Shipping): Shippings => ({
  all: [...all, shipping],
  shown: shipping.lines.length > 1 ? shipping.key : shown,
});

export const changed = ({ all, shown }: Shippings, key: string, change: Partial<Shipping>): Shippings => ({
  all: all.map((one) => (one.key === key ? { ...one, ...change } : one)),
  shown,
});

/**
 * Applies the response to a ship request. The notice then shows that request's orders, unless it already shows orders
 * that were shipped later. This way, a late response never hides the Undo button of the later orders.
 */
export function answered(before: Shippings, key: string, lines: readonly Line[], at: number): Shippings {
  const isUndoing = before.all.some((one) => one.key === key && one.state === 'undoing');
  const { all } = changed(before, key, { lines, at, state: isUndoing ? 'undoing' : 'shipped' });
  return { all, shown: all.findLast((one) => one.key === key || one.key === before.shown)?.key ?? null };
}

/**
 * Applies the response to an undo. If some shipments couldn't be undone, the notice shows this undo and names the
 * affected orders.
 */
export function undone(before: Shippings, key: string, lines: readonly Line[]): Shippings {
  const after = changed(before, key, { lines, state: 'undone' });
  return lines.some((line) => wasShipped(line) && line.reason !== undefined) ? { ...after, shown: key } : after;
}
