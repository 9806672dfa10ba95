import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useCallback, useRef, useState } from 'react';
import { newIdempotencyKey } from '../../api/use-submit.tsx';
import { serverNow } from '../../ui/server-clock.ts';
import { isToDeliver } from './admin-orders.api.ts';
import { type Outcome, type Parcel, useSendShipments, useSendWithdrawals } from './send-orders.ts';
import {
  answered,
  began,
  type Done,
  dismissed,
  NO_SHIPPINGS,
  nextUndo,
  type Shipping,
  type Shippings,
  shippingOf,
  undoing,
  undone,
} from './shippings.ts';

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

function doneAfter(outcome: Outcome): Done {
  switch (outcome.outcome) {
    case 'shipped':
      return { state: 'shipping', version: outcome.order.version };
    case 'refused':
      return { state: 'refused', reason: outcome.reason };
    case 'already':
      return { state: 'already', by: outcome.by, at: outcome.at, version: outcome.version };
  }
}

/** How the board ships and takes back: rows answer at once, and say why where it was not done. */
export function useShipping() {
  const [done, setDone] = useState<ReadonlyMap<string, Done>>(new Map());
  const [shippings, setShippings] = useState(NO_SHIPPINGS);
  // Two keys may come before the page is drawn again.
  const now = useRef(shippings);
  const count = useRef(0);
  /** resolves once a shipping is answered */
  const answers = useRef(new Map<number, Promise<unknown>>()).current;
  const sendShipments = useSendShipments();
  const sendWithdrawals = useSendWithdrawals();

  const change = useCallback((step: (before: Shippings) => Shippings) => {
    now.current = step(now.current);
    setShippings(now.current);
  }, []);
  const note = useCallback((changes: readonly (readonly [id: string, Done | null])[]) => {
    setDone((before) => {
      const after = new Map(before);
      for (const [id, what] of changes) {
        if (what === null) after.delete(id);
        else after.set(id, what);
      }
      return after;
    });
  }, []);

  const ship = useCallback(
    (asked: readonly OrderView[], parcel: Parcel = {}): Promise<readonly Outcome[]> => {
      const orders = asked.filter(isToDeliver);
      if (orders.length === 0) return Promise.resolve([]);
      count.current += 1;
      const id = count.current;
      const key = newIdempotencyKey();
      note(orders.map(({ _id, version }) => [_id, { state: 'shipping', version }]));
      change((before) => began(before, newShipping(id, key, orders)));
      const answer = sendShipments(key, orders, parcel).then((outcomes) => {
        note(outcomes.map((one) => [one.order._id, doneAfter(one)]));
        const shipped = outcomes.flatMap((one) => (one.outcome === 'shipped' ? [one] : []));
        const open = new Set(shipped.map(({ order }) => order._id));
        const problems = outcomes.flatMap(problemSentence);
        change((before) => answered(before, id, { shipped, open, problems, at: serverNow() }));
        return outcomes;
      });
      answers.set(id, answer);
      void answer.then(() => answers.delete(id));
      return answer;
    },
    [answers, change, note, sendShipments],
  );

  const takeBack = useCallback(
    async (id: number) => {
      change((before) => undoing(before, id));
      await answers.get(id);
      const shipping = shippingOf(now.current, id);
      if (shipping === undefined) return;
      const { key, shipped, open } = shipping;
      const asked = shipped.filter(({ order }) => open.has(order._id));
      note(asked.map(({ order, version }) => [order._id, { state: 'withdrawing', version }]));
      const outcomes = await sendWithdrawals(key, shipped, open);
      const failed = outcomes.flatMap((one) => (one.outcome === 'withdrawn' ? [] : [one]));
      note(failed.map(({ order }) => [order._id, null]));
      change((before) =>
        undone(before, id, {
          open: new Set(failed.filter(({ outcome }) => outcome === 'unknown').map(({ order }) => order._id)),
          takenBack: shipping.takenBack + outcomes.length - failed.length,
          problems: failed.map(({ order, reason }) => `${order.number} could not be taken back: ${reason}`),
        }),
      );
    },
    [answers, change, note, sendWithdrawals],
  );

  /** Takes back the newest shipping that isn't undone yet, all of it. Returns why there is nothing to take back. */
  const undo = useCallback((): string | undefined => {
    const newest = nextUndo(now.current, serverNow());
    if (newest === undefined) return 'nothing that you shipped in the last 30 seconds is left to take back.';
    void takeBack(newest.id);
    return undefined;
  }, [takeBack]);

  const dismiss = useCallback(() => change(dismissed), [change]);
  return { done, shippings, ship, undo, dismiss };
}

const newShipping = (id: number, key: string, orders: readonly OrderView[]): Shipping => ({
  ...{ id, key, orders, state: 'sending', at: serverNow() },
  ...{ shipped: [], open: new Set<string>(), takenBack: 0, problems: [] },
});
