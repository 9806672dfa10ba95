import type { ShipmentOutcome, WithdrawalOutcome } from '@micro-center/services/contracts/order/order-answers.ts';
import type { Shipping as ShippingRequest } from '@micro-center/services/contracts/order/order-requests.ts';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { mayPass, problemText } from '../../api/problem.ts';
import { useLiveDispatch } from '../../live/use-live.ts';
import {
  fetchTimeline,
  useShipOrderMutation,
  useShipOrdersMutation,
  useWithdrawShipmentsMutation,
} from './admin-orders.api.ts';
import { type Line, type ShippedLine, wasShipped } from './shippings.ts';

/** The maximum number of orders that the shop accepts in one request. */
const AT_ONCE = 200;

/** The carrier and tracking number, if they are known. */
export type Parcel = Omit<ShippingRequest, 'version'>;

type Named = { readonly id: string };
type Batch<Order> = { key: string; orders: Order[] };

/** The outcome of an order whose request got no response. The shop may still have carried out the request. */
const unanswered = (id: string, error?: unknown) =>
  ({ id, outcome: 'unanswered', title: problemText(error), error }) as const;
type Unanswered = ReturnType<typeof unanswered>;

/** Whether the shop refused a request. After any other error, the shop may still have carried out the request. */
const isRefusal = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && Math.floor(Number(error.status) / 100) === 4;

/**
 * Sends orders in requests of up to 200 orders, and returns a function that looks up an order's outcome by its id. Each
 * request has its own idempotency key, which starts with `key`. A retry must send the same orders under the same key to
 * count as the same request (CMD3). A request is skipped if `isAsked` is false for all of its orders.
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
    // The first attempt may have got through, so the retry uses the same key.
    const last = first.error && mayPass(first.error) ? await send(batch) : first;
    // If only the retry is refused, the outcome of the first attempt is still unknown.
    const error = isRefusal(first.error) ? last.error : first.error;
    for (const { id } of batch.orders) answers.set(id, unanswered(id, error));
    for (const answer of last.data ?? []) answers.set(answer.id, answer);
  }
  return (id) => answers.get(id) ?? unanswered(id);
}

/**
 * Returns functions that ship orders and undo shipments. Their promises never reject, because the outcome of each
 * order, including any error, is part of the result.
 */
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
      // The timeline shows who shipped the order and when. If it can't be loaded, the order is still reported as
      // already shipped, but without these details.
      const timeline = await timelineOf(order).catch(() => []);
      const first = timeline.findLast(({ type }) => type === 'shipped');
      const unrecorded = parcel.trackingNumber;
      return { order, state: 'already', by: first?.by ?? null, at: first?.at ?? null, version, unrecorded };
    } catch (error) {
      return failedLine(order, error);
    }
  }

  /**
   * Ships a single order through the endpoint for one order. Ships several orders through the bulk endpoint, with up to
   * 200 orders per request.
   */
  async function sendShipments(key: string, orders: readonly OrderView[], parcel: Parcel): Promise<Line[]> {
    const [only, ...others] = orders;
    if (only !== undefined && others.length === 0) return [await shipAlone(only, parcel)];
    const seen = orders.map(({ _id: id, version }) => ({ id, version }));
    const answerTo = await inBatches(key, seen, shipMany, () => true);
    return orders.map((order) => lineAfter(order, answerTo(order._id)));
  }

  /**
   * Returns the number of the shipment that the board's own request made. An order's shipments are numbered from 1.
   * Another admin may have undone that shipment since then, and shipped the order again.
   */
  async function shipmentOf({ order, version, shipment }: ShippedLine): Promise<number> {
    if (shipment !== null) return shipment;
    const timeline = await timelineOf(order);
    return timeline.filter((entry) => entry.type === 'shipped' && entry.version <= version).length;
  }

  /**
   * Undoes the shipments of all `withdrawing` lines, in requests of up to 200 orders. The requests also name orders
   * whose shipments have already been undone, because a retry must send the same orders to count as the same request
   * (CMD3).
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

/**
 * Returns `line` with the result of its undo. If no response arrived, the state goes back to `shipped`, so that the
 * undo can be retried.
 */
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
