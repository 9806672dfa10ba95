import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { isToDeliver } from './admin-orders.api.ts';

/** How long a shipment can be taken back without a reason, in milliseconds. */
export const UNDO_FOR = 30_000;

/** An order that this board shipped, and the state of its undo. */
export interface ShippedLine {
  order: OrderView;
  /**
   * `withdrawing` while an undo is in progress, then `withdrawn`, or `kept` if the shop refused the undo. If the undo
   * gets no response, the state goes back to `shipped`, so that the next undo sends the request again.
   */
  state: 'shipped' | 'withdrawing' | 'withdrawn' | 'kept';
  /** the order's version after that shipment */
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

/** One order of a shipping, as the admin saw it when the request was sent, and its outcome so far. */
export type Line =
  | { order: OrderView; state: 'sending' }
  | FailedLine
  | {
      order: OrderView;
      state: 'already';
      by: string | null;
      at: string | null;
      /** the version of the order that had already been shipped */
      version: number;
      /** the tracking number that was sent but not recorded */
      unrecorded?: string | undefined;
    }
  | ShippedLine;

/** Whether the order was shipped by this line's request, even if the shipment has been taken back since. */
export const wasShipped = (line: Line): line is ShippedLine => 'shipment' in line;
export const canBeTakenBack = ({ state }: Line): boolean => state === 'shipped';

export const hasFailed = (line: Line): line is FailedLine => line.state === 'refused' || line.state === 'unanswered';

/**
 * Whether the order of `line` is shipped according to `now`, the order's newest view. Undefined if `now` is no newer
 * than the view in `line`.
 */
export const isShippedBy = ({ order }: Line, now: OrderView | undefined): boolean | undefined =>
  now === undefined || now.version <= order.version ? undefined : now.status === 'shipped';

/**
 * Returns `line` until the order's view has caught up with it, and undefined from then on. A failed or `kept` line is
 * never ahead of the view.
 *
 * The shop ships an order only at the version that the admin saw, and shipping creates the next version. For example,
 * if the admin saw version 3, the shipped order has version 4. Its row shows a `shipped` line until version 4 is
 * pushed. It shows an `already`, `withdrawing` or `withdrawn` line until version 5 is pushed.
 */
export function aheadOf(order: OrderView, line: Line | undefined): Line | undefined {
  if (line === undefined || hasFailed(line) || line.state === 'kept') return undefined;
  const asOf = line.state === 'sending' || line.state === 'shipped' ? line.order.version : line.version;
  return order.version <= asOf ? line : undefined;
}

/** Whether an order can be shipped from the board: with its row's DELIVER button, with the key s or as part of a selection. */
export const canShip = (order: OrderView, line: Line | undefined): boolean =>
  isToDeliver(order) && aheadOf(order, line) === undefined;

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Returns text such as 'shipped already by Farhana at 14:05'. */
export function alreadyText({ by, at }: Extract<Line, { state: 'already' }>): string {
  return `shipped already${by === null ? '' : ` by ${by}`}${at === null ? '' : ` at ${timeOfDay.format(new Date(at))}`}`;
}

/** A single order or a selection that was shipped from this board in one go, and its undo. */
export interface Shipping {
  /**
   * prefix of the requests' Idempotency-Keys, which make retries safe. The request that ships a single order relies on
   * the order's version instead.
   */
  key: string;
  state: 'sending' | 'shipped' | 'undoing' | 'undone';
  lines: readonly Line[];
  /** resolves with the lines and their outcomes once all requests have finished, and never rejects */
  answer: Promise<readonly Line[]>;
  /** when the response arrived, in milliseconds since the epoch by the shop's clock, or 0 before that */
  at: number;
}

/** Every shipping from this board, oldest first, and the key of the shipping that the notice shows. */
interface Shippings {
  all: readonly Shipping[];
  shown: string | null;
}

export const NO_SHIPPINGS: Shippings = { all: [], shown: null };

/** The newest line of each order, by order id. */
export const newestLines = (all: readonly Shipping[]): ReadonlyMap<string, Line> =>
  new Map(all.flatMap(({ lines }) => lines.map((line) => [line.order._id, line] as const)));

/**
 * Returns the shipping that the next undo takes back. This is the newest one whose response arrived less than
 * `UNDO_FOR` ago and that still has a shipment to take back. A shipping that is still being sent counts, too, because
 * its undo waits for the response.
 */
export const nextUndo = ({ all }: Shippings, now: number): Shipping | undefined =>
  all.findLast(
    ({ state, at, lines }) =>
      state === 'sending' || (state !== 'undoing' && now < at + UNDO_FOR && lines.some(canBeTakenBack)),
  );

/**
 * Adds a shipping. While a single order is being sent, the notice doesn't show it, because the response usually arrives
 * before anyone could read the notice.
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
 * Applies the response to a shipping. The notice switches to that shipping unless it already shows a later one, so that
 * a late response never hides the Undo button of a newer shipping.
 */
export function answered(before: Shippings, key: string, lines: readonly Line[], at: number): Shippings {
  const isUndoing = before.all.some((one) => one.key === key && one.state === 'undoing');
  const { all } = changed(before, key, { lines, at, state: isUndoing ? 'undoing' : 'shipped' });
  return { all, shown: all.findLast((one) => one.key === key || one.key === before.shown)?.key ?? null };
}

/** Applies the response to an undo. If some orders couldn't be taken back, the notice switches to that undo to name them. */
export function undone(before: Shippings, key: string, lines: readonly Line[]): Shippings {
  const after = changed(before, key, { lines, state: 'undone' });
  return lines.some((line) => wasShipped(line) && line.reason !== undefined) ? { ...after, shown: key } : after;
}
