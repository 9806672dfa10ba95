import type { ShipmentOutcome, WithdrawalOutcome } from '@micro-center/services/contracts/answers.ts';
import type { Shipping as ShippingRequest } from '@micro-center/services/contracts/http.ts';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { mayPass, problemText } from '../../api/problem.ts';
import { useLiveDispatch } from '../../live/use-live.ts';
import {
  fetchTimeline,
  useShipOrderMutation,
  useShipOrdersMutation,
  useWithdrawShipmentsMutation,
} from './admin-orders.api.ts';
import { type Line, type ShippedLine, wasShipped } from './shippings.ts';

/** As many orders as one request takes. */
const AT_ONCE = 200;

/** Carrier and tracking number, where they are known. */
export type Parcel = Omit<ShippingRequest, 'version'>;

type Named = { readonly id: string };
type Batch<Order> = { key: string; orders: Order[] };

/** No answer came for an order, and why: what was asked for may have been done all the same. */
const unanswered = (id: string, error?: unknown) =>
  ({ id, outcome: 'unanswered', title: problemText(error), error }) as const;
type Unanswered = ReturnType<typeof unanswered>;

/** Whether the shop has refused a request. After any other failure it may have been done all the same. */
const isRefusal = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && Math.floor(Number(error.status) / 100) === 4;

/**
 * Sends orders off, 200 a request, and returns what tells the answer of each by its id. Each request has a key of its own that
 * begins with `key`, and the same orders however often it is sent: a repeat is the same request (CMD3). Requests without an
 * order that `isAsked` aren't sent.
 */
async function inBatches<Order extends Named, Answer extends Named>(
  key: string,
  orders: readonly Order[],
  send: (batch: Batch<Order>) => PromiseLike<{ data?: Answer[]; error?: unknown }>,
  isAsked: (id: string) => boolean,
): Promise<(id: string) => Answer | Unanswered> {
  const answers = new Map<string, Answer | Unanswered>();
  for (let from = 0; from < orders.length; from += AT_ONCE) {
    const batch = { key: `${key}-${from}`, orders: orders.slice(from, from + AT_ONCE) };
    if (!batch.orders.some(({ id }) => isAsked(id))) continue;
    const first = await send(batch);
    // The first may have got through, so it goes out once more under its key.
    const last = first.error && mayPass(first.error) ? await send(batch) : first;
    // A second one that was refused doesn't tell what the first did.
    const error = isRefusal(first.error) ? last.error : first.error;
    for (const { id } of batch.orders) answers.set(id, unanswered(id, error));
    for (const answer of last.data ?? []) answers.set(answer.id, answer);
  }
  return (id) => answers.get(id) ?? unanswered(id);
}

/** Requests that ship orders and take shipments back. None rejects: each line says what came of it. */
export function useSendOrders() {
  const [shipOne] = useShipOrderMutation();
  const [shipMany] = useShipOrdersMutation();
  const [withdrawMany] = useWithdrawShipmentsMutation();
  const dispatch = useLiveDispatch();
  const timelineOf = (order: OrderView) => dispatch(fetchTimeline(order._id)).unwrap();

  async function shipAlone(order: OrderView, parcel: Parcel): Promise<Line> {
    try {
      const asked = { id: order._id, version: order.version, ...parcel };
      const { modifiedCount, version } = await shipOne(asked).unwrap();
      if (modifiedCount > 0) return { order, state: 'shipped', version, shipment: null };
      // The order is shipped, whether or not its timeline can say by whom.
      const timeline = await timelineOf(order).catch(() => []);
      const first = timeline.findLast(({ type }) => type === 'shipped');
      const unrecorded = parcel.trackingNumber;
      return { order, state: 'already', by: first?.by ?? null, at: first?.at ?? null, version, unrecorded };
    } catch (error) {
      return failedLine(order, error);
    }
  }

  /** Ships orders: one by its own request, several by requests of 200 each. */
  async function sendShipments(key: string, orders: readonly OrderView[], parcel: Parcel): Promise<Line[]> {
    const [only, ...others] = orders;
    if (only !== undefined && others.length === 0) return [await shipAlone(only, parcel)];
    const seen = orders.map(({ _id: id, version }) => ({ id, version }));
    const answerTo = await inBatches(key, seen, shipMany, () => true);
    return orders.map((order) => lineAfter(order, answerTo(order._id)));
  }

  /** The number of that very shipment: meanwhile another admin may have taken it back and shipped the order again. */
  async function shipmentOf({ order, version, shipment }: ShippedLine): Promise<number> {
    if (shipment !== null) return shipment;
    const timeline = await timelineOf(order);
    return timeline.filter((entry) => entry.type === 'shipped' && entry.version <= version).length;
  }

  /**
   * Takes those of `lines` back that are being withdrawn, by requests of 200 each. The requests name every order that was shipped,
   * so that a repeat is the same request (CMD3).
   */
  async function sendWithdrawals(key: string, lines: readonly Line[]): Promise<Line[]> {
    const isAsked = new Set(lines.filter(({ state }) => state === 'withdrawing').map(({ order }) => order._id));
    const named = lines
      .filter(wasShipped)
      .map(async (line) => ({ id: line.order._id, shipment: await shipmentOf(line) }));
    const answerTo = await Promise.all(named)
      .then((orders) => inBatches(key, orders, withdrawMany, (id) => isAsked.has(id)))
      .catch((error) => (id: string) => unanswered(id, error));
    return lines.map((line) => (line.state === 'withdrawing' ? withdrawnLine(line, answerTo(line.order._id)) : line));
  }
  return { sendShipments, sendWithdrawals };
}

function failedLine(order: OrderView, error: unknown): Line {
  return { order, state: isRefusal(error) ? 'refused' : 'unanswered', reason: problemText(error), error };
}

function lineAfter(order: OrderView, answer: ShipmentOutcome | Unanswered): Line {
  switch (answer.outcome) {
    case 'shipped':
      return { order, state: 'shipped', version: answer.version, shipment: answer.shipment };
    case 'already_shipped':
      return { order, state: 'already', by: answer.by, at: answer.at, version: answer.version };
    case 'refused':
      return { order, state: 'refused', reason: answer.title };
    case 'unanswered':
      return failedLine(order, answer.error);
  }
}

/** What wasn't answered stays shipped, so that it can be taken back again. */
function withdrawnLine(line: ShippedLine, answer: WithdrawalOutcome | Unanswered): Line {
  switch (answer.outcome) {
    case 'withdrawn':
      return { ...line, state: 'withdrawn' };
    case 'refused':
      return { ...line, state: 'kept', reason: answer.title };
    case 'unanswered':
      return { ...line, state: 'shipped', reason: answer.title };
  }
}
