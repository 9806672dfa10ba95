import type { ShipmentOutcome } from '@micro-center/services/contracts/answers.ts';
import type { Shipping as ShippingRequest } from '@micro-center/services/contracts/http.ts';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useCallback, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { mayPass, problemText } from '../../api/problem.ts';
import { newIdempotencyKey } from '../../api/use-submit.tsx';
import type { LiveRoot } from '../../live/follow.ts';
import { viewOf } from '../../live/view-map.ts';
import { serverNow } from '../../ui/server-clock.ts';
import {
  isToDeliver,
  useLazyGetOrderNowQuery,
  useLazyGetTimelineNowQuery,
  useShipOrderMutation,
  useShipOrdersMutation,
  useWithdrawShipmentMutation,
} from './admin-orders.api.ts';

/** As many orders as one request ships. */
const AT_ONCE = 200;
/** So many withdrawals are on their way at a time. */
const WITHDRAWALS_AT_ONCE = 8;

/**
 * What this board knows of an order ahead of the pushes, as of `version`. A newer version of the order overrides it, except for
 * the reason of a refusal.
 */
export type Done =
  | { state: 'shipping' | 'withdrawing'; version: number }
  | { state: 'refused'; reason: string }
  | { state: 'already'; by: string | null; at: string | null; version: number };

/** The last shipping, as its notice tells it. */
export interface Shipping {
  /** names it: a newer one replaces it */
  id: number;
  state: 'sending' | 'shipped' | 'undoing' | 'undone';
  /** all that were sent */
  orders: readonly OrderView[];
  shipped: readonly OrderView[];
  /** a sentence for each order that was not shipped, or not taken back */
  problems: readonly string[];
  /** when the answer came, by this clock, in milliseconds */
  at: number;
}

/** What the board knows of an order beyond its view; undefined once the view is newer. */
export const aheadOf = (order: OrderView, done: Done | undefined) =>
  done !== undefined && 'version' in done && order.version <= done.version ? done : undefined;

/** Whether an order can be shipped from here: its row offers DELIVER, the key s and a selection include it. */
export const canShip = (order: OrderView, done: Done | undefined): boolean =>
  isToDeliver(order) && aheadOf(order, done) === undefined;

/** What came of shipping one order. */
export type Outcome = { order: OrderView } & (
  | { outcome: 'shipped'; shipment: number | null }
  | { outcome: 'refused'; reason: string; error?: unknown }
  /** `version`: the order's, with that shipment; `unrecorded`: the tracking number that was sent with it */
  | { outcome: 'already'; by: string | null; at: string | null; version: number; unrecorded?: string | undefined }
);

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** 'shipped already by Farhana at 14:05' */
export function alreadyText(by: string | null, at: string | null): string {
  return `shipped already${by === null ? '' : ` by ${by}`}${at === null ? '' : ` at ${timeOfDay.format(new Date(at))}`}`;
}

function problemSentence({ order, ...how }: Outcome): string[] {
  if (how.outcome === 'refused') return [`${order.number} was not shipped: ${how.reason}`];
  if (how.outcome === 'already') {
    const lost = how.unrecorded === undefined ? '' : ` The tracking number ${how.unrecorded} was not recorded.`;
    return [`${order.number} was ${alreadyText(how.by, how.at)}.${lost}`];
  }
  return [];
}

/** Carrier and tracking number, where they are known. */
export type Parcel = Omit<ShippingRequest, 'version'>;

/** How the board ships and takes back: rows answer at once, and say why where it was not done. */
export function useShipping() {
  const store = useStore<LiveRoot>();
  const [done, setDone] = useState<ReadonlyMap<string, Done>>(new Map());
  const [last, setLast] = useState<Shipping | null>(null);
  const latest = useRef(last);
  latest.current = last;
  const shipments = useRef(new Map<string, number>());
  const count = useRef(0);
  const send = useSending();
  const [withdraw] = useWithdrawShipmentMutation();
  const [getOrder] = useLazyGetOrderNowQuery();

  const note = useCallback((ids: readonly string[], what: (id: string) => Done | null) => {
    setDone((before) => {
      const after = new Map(before);
      for (const id of ids) {
        const now = what(id);
        if (now === null) after.delete(id);
        else after.set(id, now);
      }
      return after;
    });
  }, []);
  const update = useCallback((id: number, change: Partial<Shipping>) => {
    setLast((now) => (now?.id === id ? { ...now, ...change } : now));
  }, []);

  const ship = useCallback(
    async (asked: readonly OrderView[], parcel: Parcel = {}): Promise<readonly Outcome[]> => {
      const orders = asked.filter(isToDeliver);
      if (orders.length === 0) return [];
      count.current += 1;
      const id = count.current;
      const version = new Map(orders.map((order) => [order._id, order.version]));
      note([...version.keys()], (one) => ({ state: 'shipping', version: version.get(one) ?? 0 }));
      const sent: Shipping = { id, state: 'sending', orders, shipped: [], problems: [], at: serverNow() };
      // One order is answered before anybody could read that it is being sent.
      if (orders.length > 1) setLast(sent);
      const outcomes = await send(orders, parcel);
      const byId = new Map(outcomes.map((one) => [one.order._id, one]));
      for (const one of outcomes) {
        if (one.outcome === 'shipped' && one.shipment !== null) shipments.current.set(one.order._id, one.shipment);
        else shipments.current.delete(one.order._id);
      }
      const others = outcomes.filter(({ outcome }) => outcome !== 'shipped').map(({ order }) => order._id);
      note(others, (one) => {
        const how = byId.get(one);
        if (how?.outcome === 'refused') return { state: 'refused', reason: how.reason };
        return how?.outcome === 'already' ? { state: 'already', by: how.by, at: how.at, version: how.version } : null;
      });
      const shipped = outcomes.filter(({ outcome }) => outcome === 'shipped').map(({ order }) => order);
      const problems = outcomes.flatMap(problemSentence);
      const answered: Shipping = { ...sent, state: 'shipped', shipped, problems, at: serverNow() };
      setLast((now) => (now === null || now.id <= id ? answered : now));
      return outcomes;
    },
    [note, send],
  );

  const shipmentOf = useCallback(
    async (id: string): Promise<number> => {
      const view = viewOf(store.getState().views.known.order.views, id) as OrderView | undefined;
      const known = shipments.current.get(id) ?? view?.shipment;
      return known ?? (await getOrder(id).unwrap()).shipment ?? 1;
    },
    [store, getOrder],
  );

  /** Takes the last shipping back, all of it. */
  const undo = useCallback(async () => {
    const { current } = latest;
    if (current?.state !== 'shipped' || current.shipped.length === 0) return;
    const { id, shipped } = current;
    update(id, { state: 'undoing', problems: [] });
    const problems: string[] = [];
    const takeBack = async (order: OrderView) => {
      try {
        const shipment = await shipmentOf(order._id);
        const view = viewOf(store.getState().views.known.order.views, order._id) ?? order;
        const version = Math.max(view.version, order.version);
        note([order._id], () => ({ state: 'withdrawing', version }));
        await withdraw({ id: order._id, shipment }).unwrap();
      } catch (error) {
        note([order._id], () => null);
        problems.push(`${order.number} could not be taken back: ${problemText(error)}`);
      }
    };
    for (let from = 0; from < shipped.length; from += WITHDRAWALS_AT_ONCE) {
      await Promise.all(shipped.slice(from, from + WITHDRAWALS_AT_ONCE).map(takeBack));
    }
    update(id, { state: 'undone', problems });
  }, [note, shipmentOf, store, update, withdraw]);

  const dismiss = useCallback(() => setLast(null), []);
  return { done, last, ship, undo, dismiss };
}

/** Sends orders off: one by its own request, several by requests of 200 each. Never rejects. */
function useSending() {
  const [shipOne] = useShipOrderMutation();
  const [shipMany] = useShipOrdersMutation();
  const [getTimeline] = useLazyGetTimelineNowQuery();
  return useCallback(
    async (orders: readonly OrderView[], parcel: Parcel): Promise<Outcome[]> => {
      const [only] = orders;
      if (only !== undefined && orders.length === 1) return [await one(only)];
      const outcomes: Outcome[] = [];
      for (let from = 0; from < orders.length; from += AT_ONCE) {
        outcomes.push(...(await many(orders.slice(from, from + AT_ONCE))));
      }
      return outcomes;

      async function one(order: OrderView): Promise<Outcome> {
        try {
          const answer = await shipOne({ id: order._id, version: order.version, ...parcel }).unwrap();
          if (answer.modifiedCount > 0) return { order, outcome: 'shipped', shipment: null };
          const timeline = await getTimeline(order._id).unwrap();
          const by = timeline.findLast(({ type }) => type === 'shipped');
          const { version } = answer;
          const unrecorded = parcel.trackingNumber;
          return { order, outcome: 'already', by: by?.by ?? null, at: by?.at ?? null, version, unrecorded };
        } catch (error) {
          return { order, outcome: 'refused', reason: problemText(error), error };
        }
      }

      async function many(part: readonly OrderView[]): Promise<Outcome[]> {
        const asked = {
          key: newIdempotencyKey(),
          orders: part.map(({ _id, version }) => ({ id: _id, version })),
        };
        let answer = await shipMany(asked);
        // The first may have got through, so it goes out once more under its key.
        if (answer.error && mayPass(answer.error)) answer = await shipMany(asked);
        const { data, error } = answer;
        const byId = new Map(data?.map((each) => [each.id, each]));
        return part.map((order) => outcomeOf(order, byId.get(order._id), error));
      }
    },
    [shipOne, shipMany, getTimeline],
  );
}

function outcomeOf(order: OrderView, answer: ShipmentOutcome | undefined, error: unknown): Outcome {
  switch (answer?.outcome) {
    case 'shipped':
      return { order, outcome: 'shipped', shipment: answer.shipment };
    case 'already_shipped':
      return { order, outcome: 'already', by: answer.by, at: answer.at, version: answer.version };
    case 'refused':
      return { order, outcome: 'refused', reason: answer.title };
    case undefined:
      return { order, outcome: 'refused', reason: problemText(error) };
  }
}
