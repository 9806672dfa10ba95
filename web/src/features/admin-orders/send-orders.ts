import type { ShipmentOutcome, WithdrawalOutcome } from '@micro-center/services/contracts/answers.ts';
import type { Shipping as ShippingRequest } from '@micro-center/services/contracts/http.ts';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useCallback } from 'react';
import { mayPass, problemText } from '../../api/problem.ts';
import { useLiveDispatch } from '../../live/use-live.ts';
import {
  fetchTimeline,
  useShipOrderMutation,
  useShipOrdersMutation,
  useWithdrawShipmentsMutation,
} from './admin-orders.api.ts';
import type { Shipped } from './shippings.ts';

/** As many orders as one request takes. */
const AT_ONCE = 200;

/** What came of shipping one order. */
export type Outcome = { order: OrderView } & (
  | { outcome: 'shipped'; version: number; shipment: number | null }
  | { outcome: 'refused'; reason: string; error?: unknown }
  /** `version`: the order's, with that shipment; `unrecorded`: the tracking number that was sent with it */
  | { outcome: 'already'; by: string | null; at: string | null; version: number; unrecorded?: string | undefined }
);

/** What came of taking one shipment back; 'unknown' where no answer came, so that it can be tried again. */
export type Withdrawn = { order: OrderView } & (
  | { outcome: 'withdrawn' }
  | { outcome: 'refused' | 'unknown'; reason: string }
);

/** Carrier and tracking number, where they are known. */
export type Parcel = Omit<ShippingRequest, 'version'>;

type Named = { readonly id: string };
type Answers<Answer> = { data?: Answer[]; error?: unknown };
type Told<Answer> = ReadonlyMap<string, { answer: Answer | undefined; error: unknown }>;

/**
 * Sends orders off, 200 a request, and tells what came of each by its id. Each request has a key of its own that begins with
 * `key`, and the same orders however often it is sent: a repeat is the same request (CMD3). Requests without an order that
 * `isOpen` aren't sent.
 */
async function inBatches<Order extends Named, Answer extends Named>(
  key: string,
  orders: readonly Order[],
  send: (batch: { key: string; orders: Order[] }) => PromiseLike<Answers<Answer>>,
  isOpen: (id: string) => boolean = () => true,
): Promise<Told<Answer>> {
  const told = new Map<string, { answer: Answer | undefined; error: unknown }>();
  for (let from = 0; from < orders.length; from += AT_ONCE) {
    const batch = { key: `${key}-${from}`, orders: orders.slice(from, from + AT_ONCE) };
    if (!batch.orders.some(({ id }) => isOpen(id))) continue;
    let answers = await send(batch);
    // The first may have got through, so it goes out once more under its key.
    if (answers.error && mayPass(answers.error)) answers = await send(batch);
    const { data, error } = answers;
    const byId = new Map(data?.map((each) => [each.id, each]));
    for (const { id } of batch.orders) told.set(id, { answer: byId.get(id), error });
  }
  return told;
}

/** Ships orders: one by its own request, several by requests of 200 each. Never rejects. */
export function useSendShipments() {
  const [shipOne] = useShipOrderMutation();
  const [shipMany] = useShipOrdersMutation();
  const dispatch = useLiveDispatch();
  return useCallback(
    async (key: string, orders: readonly OrderView[], parcel: Parcel): Promise<Outcome[]> => {
      const [only] = orders;
      if (only !== undefined && orders.length === 1) return [await one(only)];
      const seen = orders.map(({ _id: id, version }) => ({ id, version }));
      const told = await inBatches<(typeof seen)[number], ShipmentOutcome>(key, seen, shipMany);
      return orders.map((order) => {
        const { answer, error } = told.get(order._id) ?? {};
        return outcomeOf(order, answer, error);
      });

      async function one(order: OrderView): Promise<Outcome> {
        try {
          const asked = { id: order._id, version: order.version, ...parcel };
          const { modifiedCount, version } = await shipOne(asked).unwrap();
          if (modifiedCount > 0) return { order, outcome: 'shipped', version, shipment: null };
          const timeline = await dispatch(fetchTimeline(order._id)).unwrap();
          const by = timeline.findLast(({ type }) => type === 'shipped');
          const unrecorded = parcel.trackingNumber;
          return { order, outcome: 'already', by: by?.by ?? null, at: by?.at ?? null, version, unrecorded };
        } catch (error) {
          return { order, outcome: 'refused', reason: problemText(error), error };
        }
      }
    },
    [shipOne, shipMany, dispatch],
  );
}

function outcomeOf(order: OrderView, answer: ShipmentOutcome | undefined, error: unknown): Outcome {
  switch (answer?.outcome) {
    case 'shipped':
      return { order, outcome: 'shipped', version: answer.version, shipment: answer.shipment };
    case 'already_shipped':
      return { order, outcome: 'already', by: answer.by, at: answer.at, version: answer.version };
    case 'refused':
      return { order, outcome: 'refused', reason: answer.title };
    case undefined:
      return { order, outcome: 'refused', reason: problemText(error) };
  }
}

/** Takes shipments back by requests of 200 each. Answers for those of `open` alone, and never rejects. */
export function useSendWithdrawals() {
  const [withdrawMany] = useWithdrawShipmentsMutation();
  const dispatch = useLiveDispatch();
  return useCallback(
    async (key: string, shipped: readonly Shipped[], open: ReadonlySet<string>): Promise<Withdrawn[]> => {
      const asked = shipped.filter(({ order }) => open.has(order._id));
      try {
        const orders = await Promise.all(
          shipped.map(async (one) => ({ id: one.order._id, shipment: one.shipment ?? (await shipmentOf(one)) })),
        );
        const isOpen = (id: string) => open.has(id);
        const told = await inBatches<(typeof orders)[number], WithdrawalOutcome>(key, orders, withdrawMany, isOpen);
        return asked.map(({ order }): Withdrawn => {
          const { answer, error } = told.get(order._id) ?? {};
          if (answer === undefined) return { order, outcome: 'unknown', reason: problemText(error) };
          if (answer.outcome === 'refused') return { order, outcome: 'refused', reason: answer.title };
          return { order, outcome: 'withdrawn' };
        });
      } catch (error) {
        return asked.map(({ order }) => ({ order, outcome: 'unknown', reason: problemText(error) }));
      }

      /** The number of that very shipment: meanwhile another admin may have taken it back and shipped the order again. */
      async function shipmentOf({ order, version }: Shipped): Promise<number> {
        const timeline = await dispatch(fetchTimeline(order._id)).unwrap();
        return timeline.filter((entry) => entry.type === 'shipped' && entry.version <= version).length;
      }
    },
    [withdrawMany, dispatch],
  );
}
