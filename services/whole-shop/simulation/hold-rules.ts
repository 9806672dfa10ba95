import type { EventData, RecordedEvent } from '../../contracts/events.ts';
import { type StreamName, streamName } from '../../contracts/ids.ts';

const SHORT_HOLD_MS = 30 * 60_000;

type Streams = ReadonlyMap<StreamName, readonly RecordedEvent[]>;
type Hold = EventData<'HoldPlaced'>;
/** Returns when an event became durable, in ms since the epoch. */
type DurableAt = (event: RecordedEvent) => number;

/**
 * Checks that a hold is short if it brings the customer's holds on a product above both half of the product's stock and
 * its minimum order quantity (ORD6). Other requests may change the stock while the hold is taken. The hold is therefore
 * checked only if it had to be short whichever of these changes it saw. Clocks must be exact.
 */
export function checkHolds(streams: Streams, durableAt: DurableAt): string[] {
  const ofCustomer = (person: string) =>
    [...streams.values()].filter(([first]) => first?.type === 'OrderPlaced' && first.data.person === person);
  return [...streams].flatMap(([stream, events]) => {
    const [kind, person = ''] = stream.split('-');
    if (kind !== 'allowance') return [];
    const orders = ofCustomer(person);
    return events.flatMap((event) => {
      if (event.type !== 'HoldPlaced') return [];
      const { orderId, placedAt, expiresAt } = event.data;
      if (Date.parse(expiresAt) - Date.parse(placedAt) <= SHORT_HOLD_MS) return [];
      const product = streams.get(streamName('product', event.data.productId)) ?? [];
      const window = { from: Date.parse(placedAt), to: durableAt(event) };
      return takesMuch(event.data, product, orders, { window, durableAt })
        ? [`ORD6 order ${orderId} is held for long, although its customer holds most of the product's stock`]
        : [];
    });
  });
}

function takesMuch(
  { orderId, productId, quantity }: Hold,
  product: readonly RecordedEvent[],
  orders: readonly (readonly RecordedEvent[])[],
  { window, durableAt }: { window: { from: number; to: number }; durableAt: DurableAt },
): boolean {
  let [certain, possible] = [quantity, 0];
  for (const [placed, ...later] of orders) {
    if (placed?.type !== 'OrderPlaced') continue;
    const { draft } = placed.data;
    if (draft.productId !== productId || draft.orderId === orderId) continue;
    const begin = durableAt(placed);
    const ended = later.find(({ type }) => type === 'PaymentRecorded' || type === 'OrderCancelled');
    const end = ended ? durableAt(ended) : Number.POSITIVE_INFINITY;
    if (begin < window.from && end > window.to) certain += draft.quantity;
    if (begin <= window.to && end >= window.from) possible += draft.quantity;
  }
  const [added] = product;
  const minorder = added?.type === 'ProductAdded' ? added.data.minorder : 0;
  return certain > minorder && certain > (mostStock(product, window, durableAt) + possible) / 2;
}

/** Returns the largest stock that the product had within the window. */
function mostStock(
  product: readonly RecordedEvent[],
  { from, to }: { from: number; to: number },
  durableAt: DurableAt,
): number {
  let [stock, most] = [0, 0];
  for (const event of product) {
    const at = durableAt(event);
    if (at > to) break;
    if (at >= from) most = Math.max(most, stock);
    stock += changeOf(event);
  }
  return Math.max(most, stock);
}

function changeOf(event: RecordedEvent): number {
  switch (event.type) {
    case 'ProductAdded':
    case 'StockReturned':
      return event.data.quantity;
    case 'StockAdjusted':
      return event.data.by;
    case 'StockReduced':
      return -event.data.draft.quantity;
    default:
      return 0;
  }
}
