import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { isToDeliver } from './admin-orders.api.ts';

/** A shipment is taken back without a reason for this long, in milliseconds. */
export const UNDO_FOR = 30_000;

/**
 * What this board knows of an order ahead of the pushes, as of `version`. A newer version of the order overrides it, except for
 * the reason of a refusal.
 */
export type Done =
  | { state: 'shipping' | 'withdrawing'; version: number }
  | { state: 'refused'; reason: string }
  | { state: 'already'; by: string | null; at: string | null; version: number };

/** What the board knows of an order beyond its view; undefined once the view is newer. */
export const aheadOf = (order: OrderView, done: Done | undefined) =>
  done !== undefined && 'version' in done && order.version <= done.version ? done : undefined;

/** Whether an order can be shipped from here: its row offers DELIVER, the key s and a selection include it. */
export const canShip = (order: OrderView, done: Done | undefined): boolean =>
  isToDeliver(order) && aheadOf(order, done) === undefined;

/** One order that this board shipped. */
export interface Shipped {
  order: OrderView;
  /** the order's version with that shipment */
  version: number;
  /** which of the order's shipments it is; null where the answer didn't say */
  shipment: number | null;
}

/** One shipping of this board, of one order or a selection, and its undo. */
export interface Shipping {
  /** a later shipping has a higher one */
  id: number;
  /** the Idempotency-Keys of all its requests begin with it, so that each can be repeated */
  key: string;
  state: 'sending' | 'shipped' | 'undoing' | 'undone';
  /** all that were sent */
  orders: readonly OrderView[];
  shipped: readonly Shipped[];
  /** ids of those in `shipped` that can still be taken back */
  open: ReadonlySet<string>;
  takenBack: number;
  /** a sentence for each order that was not shipped, or not taken back */
  problems: readonly string[];
  /** when the answer came, by the shop's clock, in milliseconds */
  at: number;
}

/** Every shipping that may still be undone, oldest first, and the one that the notice is about. */
export interface Shippings {
  all: readonly Shipping[];
  shown: number | null;
}

export const NO_SHIPPINGS: Shippings = { all: [], shown: null };

export const shippingOf = ({ all }: Shippings, id: number | null): Shipping | undefined =>
  all.find((one) => one.id === id);

const isInTime = ({ state, at }: Shipping, now: number) => state === 'sending' || now < at + UNDO_FOR;

/** The shipping that the next undo takes back: the newest that isn't undone yet. One that is still being sent is undone once it is answered. */
export const nextUndo = ({ all }: Shippings, now: number): Shipping | undefined =>
  all.findLast(
    (one) => (one.state === 'sending' || (one.state !== 'undoing' && one.open.size > 0)) && isInTime(one, now),
  );

/** `before` with one more shipping. One order is answered before anybody could read that it is being sent. */
export function began(before: Shippings, shipping: Shipping): Shippings {
  const kept = before.all.filter(
    (one) => one.id === before.shown || one.state === 'undoing' || isInTime(one, shipping.at),
  );
  return { all: [...kept, shipping], shown: shipping.orders.length > 1 ? shipping.id : before.shown };
}

const changed = ({ all, shown }: Shippings, id: number, change: Partial<Shipping>): Shippings => ({
  all: all.map((one) => (one.id === id ? { ...one, ...change } : one)),
  shown,
});

/** The answer to a shipping. It takes the notice, unless a later one has it: an older answer hides no newer Undo. */
export function answered(
  before: Shippings,
  id: number,
  change: Pick<Shipping, 'shipped' | 'open' | 'problems' | 'at'>,
): Shippings {
  const undoing = shippingOf(before, id)?.state === 'undoing';
  const after = changed(before, id, undoing ? change : { ...change, state: 'shipped' });
  return { ...after, shown: Math.max(id, before.shown ?? id) };
}

/** The undo of a shipping has begun. */
export const undoing = (before: Shippings, id: number): Shippings => ({
  ...changed(before, id, { state: 'undoing', problems: [] }),
  shown: id,
});

/** The answer to an undo. Where it isn't whole, it takes the notice: somebody has to know what is left. */
export function undone(
  before: Shippings,
  id: number,
  change: Pick<Shipping, 'open' | 'takenBack' | 'problems'>,
): Shippings {
  const after = changed(before, id, { ...change, state: 'undone' });
  return change.problems.length > 0 ? { ...after, shown: id } : after;
}

export const dismissed = (before: Shippings): Shippings => ({ ...before, shown: null });
