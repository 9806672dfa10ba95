import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { isToDeliver } from './admin-orders.api.ts';

/** A shipment is taken back without a reason for this long, in milliseconds. */
export const UNDO_FOR = 30_000;

/** One order that this board shipped, and its undo. */
export interface ShippedLine {
  order: OrderView;
  /**
   * `withdrawing` while an undo is under way, then `withdrawn`, or `kept` where the shop refused that. An undo that wasn't
   * answered leaves `shipped`, so that the next one asks again.
   */
  state: 'shipped' | 'withdrawing' | 'withdrawn' | 'kept';
  /** the order's version with that shipment */
  version: number;
  /** which of the order's shipments it is; null where the answer didn't say */
  shipment: number | null;
  /** why the last undo didn't take it back */
  reason?: string | undefined;
}

/** One order that was not shipped, as far as this board knows. Where the answer was lost, the shop may have shipped it. */
interface FailedLine {
  order: OrderView;
  state: 'refused' | 'unanswered';
  reason: string;
  error?: unknown;
}

/** One order of a shipping, as it was seen when it was sent, and what has come of it. */
export type Line =
  | { order: OrderView; state: 'sending' }
  | FailedLine
  | {
      order: OrderView;
      state: 'already';
      by: string | null;
      at: string | null;
      /** the order's, with the shipment that came first */
      version: number;
      /** the tracking number that was sent but not recorded */
      unrecorded?: string | undefined;
    }
  | ShippedLine;

/** Whether the shop has shipped it for this line, even if it was taken back since. */
export const wasShipped = (line: Line): line is ShippedLine => 'shipment' in line;
export const canBeTakenBack = ({ state }: Line): boolean => state === 'shipped';

export const hasFailed = (line: Line): line is FailedLine => line.state === 'refused' || line.state === 'unanswered';

/** Whether the order of an unanswered line is shipped, as its newest view says. Undefined until that is newer than the one seen. */
export const isShippedBy = ({ order }: Line, now: OrderView | undefined): boolean | undefined =>
  now === undefined || now.version <= order.version ? undefined : now.status === 'shipped';

/**
 * What the board knows of an order ahead of the pushes: `line`, until a newer version of the order is pushed.
 *
 * The shop ships an order only at the version that was seen. So an order that was seen at version 3 is shipped by its version 4:
 * until that comes the line counts, and from then on the view.
 */
export function aheadOf(order: OrderView, line: Line | undefined): Line | undefined {
  if (line === undefined || hasFailed(line) || line.state === 'kept') return undefined;
  const asOf = line.state === 'sending' || line.state === 'shipped' ? line.order.version : line.version;
  return order.version <= asOf ? line : undefined;
}

/** Whether an order can be shipped from here: its row offers DELIVER, the key s and a selection include it. */
export const canShip = (order: OrderView, line: Line | undefined): boolean =>
  isToDeliver(order) && aheadOf(order, line) === undefined;

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** 'shipped already by Farhana at 14:05' */
export function alreadyText({ by, at }: Extract<Line, { state: 'already' }>): string {
  return `shipped already${by === null ? '' : ` by ${by}`}${at === null ? '' : ` at ${timeOfDay.format(new Date(at))}`}`;
}

/** One shipping of this board, of one order or a selection, and its undo. */
export interface Shipping {
  /** Its requests' Idempotency-Keys begin with it, so that each can be repeated. A single order is shipped by its version instead. */
  key: string;
  state: 'sending' | 'shipped' | 'undoing' | 'undone';
  lines: readonly Line[];
  /** resolves with the lines once the shop has answered */
  answer: Promise<readonly Line[]>;
  /** when the answer came, by the shop's clock, in milliseconds; 0 before that */
  at: number;
}

/** Every shipping of this board, oldest first, and the key of the one that the notice is about. */
interface Shippings {
  all: readonly Shipping[];
  shown: string | null;
}

export const NO_SHIPPINGS: Shippings = { all: [], shown: null };

/** The newest line of each order, by the order's id. */
export const newestLines = (all: readonly Shipping[]): ReadonlyMap<string, Line> =>
  new Map(all.flatMap(({ lines }) => lines.map((line) => [line.order._id, line] as const)));

/** The shipping that the next undo takes back: the newest that isn't undone yet. One that is still being sent is undone once it is answered. */
export const nextUndo = ({ all }: Shippings, now: number): Shipping | undefined =>
  all.findLast(
    ({ state, at, lines }) =>
      state === 'sending' || (state !== 'undoing' && now < at + UNDO_FOR && lines.some(canBeTakenBack)),
  );

/** `before` with one more shipping. One order is answered before anybody could read that it is being sent. */
export const began = ({ all, shown }: Shippings, shipping: Shipping): Shippings => ({
  all: [...all, shipping],
  shown: shipping.lines.length > 1 ? shipping.key : shown,
});

export const changed = ({ all, shown }: Shippings, key: string, change: Partial<Shipping>): Shippings => ({
  all: all.map((one) => (one.key === key ? { ...one, ...change } : one)),
  shown,
});

/** The answer to a shipping. It takes the notice, unless a later one has it: an older answer hides no newer Undo. */
export function answered(before: Shippings, key: string, lines: readonly Line[], at: number): Shippings {
  const isUndoing = before.all.some((one) => one.key === key && one.state === 'undoing');
  const { all } = changed(before, key, { lines, at, state: isUndoing ? 'undoing' : 'shipped' });
  return { all, shown: all.findLast((one) => one.key === key || one.key === before.shown)?.key ?? null };
}

/** The answer to an undo. Where it isn't whole, it takes the notice: somebody has to know what is left. */
export function undone(before: Shippings, key: string, lines: readonly Line[]): Shippings {
  const after = changed(before, key, { lines, state: 'undone' });
  return lines.some((line) => wasShipped(line) && line.reason !== undefined) ? { ...after, shown: key } : after;
}
