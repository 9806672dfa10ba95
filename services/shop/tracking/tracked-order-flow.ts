import { ERASED } from '../../contracts/events.ts';
import { NEVER_SHARED, type OrderDocument } from '../../contracts/order/order-document.ts';
import type { TrackingView } from '../../contracts/tracking/tracking-view.ts';
import { currentDocument, type DocumentSource } from '../../engine/projector/current-document.ts';
import { readTrackingToken, trackingKey, trackingToken } from '../../identity/tracking-token.ts';
import type { Clock } from '../../runtime/clock.ts';
import { trackingView } from './tracking-view.ts';

/** How long a tracking link works after its order is shipped or cancelled, in milliseconds. */
const SHOWN_FOR_MS = 90 * 86_400_000;

export interface TrackedOrder {
  readonly view: TrackingView;
  /** when the link expires, in ms since the epoch; Infinity while the order is neither shipped nor cancelled */
  readonly endsAt: number;
}

/**
 * Creates the tokens of tracking links, and finds the order that a token gives access to. Serves both the API and the
 * live gateway.
 */
export interface TrackingLinks {
  /** Returns the token of an order's tracking link, or null if the order isn't shared or may no longer be shown (TRACK2). */
  tokenOf(order: OrderDocument): string | null;
  /** Returns whether a tracking link may show the order. A link stops working when it expires or when the customer's data is erased. */
  mayShow(order: OrderDocument): boolean;
  /**
   * Returns the order that a token gives access to, or null if the token isn't valid (TRACK1). The order reflects all
   * events in its stream (READ1).
   */
  open(token: string): Promise<TrackedOrder | null>;
}

/**
 * Returns functions that create and read the shop's tracking links. The links are signed with a key derived from
 * `secret`. All instances of the shop have to use the same secret, so that each instance accepts the links that the
 * others create.
 */
export function createTrackingLinks(source: DocumentSource, secret: string, clock: Clock): TrackingLinks {
  const key = trackingKey(secret);

  const mayShow = (order: OrderDocument) => order.email !== ERASED && clock() < endOf(order);
  const sharedGeneration = (order: OrderDocument) => {
    const { shared, generation } = order.tracking ?? NEVER_SHARED;
    return shared && mayShow(order) ? generation : null;
  };

  return {
    mayShow,
    tokenOf(order) {
      const generation = sharedGeneration(order);
      return generation === null ? null : trackingToken({ orderId: order.id, generation }, key);
    },
    async open(token) {
      const link = readTrackingToken(token, key);
      const order = link && (await currentDocument(source, 'order', link.orderId));
      if (!order || sharedGeneration(order) !== link.generation) return null;
      const product = await source.readModels.get('product', order.productId);
      return { view: trackingView(order, product), endsAt: endOf(order) };
    },
  };
}

function endOf({ shippedAt, cancelledAt }: OrderDocument): number {
  const ended = shippedAt ?? cancelledAt;
  return ended === null ? Number.POSITIVE_INFINITY : Date.parse(ended) + SHOWN_FOR_MS;
}
