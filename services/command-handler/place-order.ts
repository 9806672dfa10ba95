import type { EventData } from '../contracts/events.ts';
import { refuse } from '../domain/decider.ts';
import { orderDecider } from '../domain/order/decide-order.ts';
import type { OrderState } from '../domain/order/order.ts';
import { productDecider } from '../domain/product/decide-product.ts';
import type { ReduceStock } from '../domain/product/product.ts';
import type { CommandMeta, Outcome } from './command.ts';
import type { CommandHandler } from './command-handler.ts';

type Reduction = EventData<'StockReduced'>;

/** The cause of every event by which an order comes to be, on the product's stream and on its own. */
export function placementCause(orderId: string): string {
  return `place:${orderId}`;
}

/** The cause of the event that gives an order's stock back, at most once (ORD5). */
export function returnCause(orderId: string): string {
  return `return:${orderId}`;
}

/**
 * Places an order: takes the stock first, with the whole draft, then opens the order's stream from that draft alone (ORD1).
 * Asked again with the same id and the same content it answers as the first time (CMD3).
 * @throws Overloaded before anything was done
 */
export async function placeOrder(
  handler: CommandHandler,
  command: ReduceStock,
  meta: Omit<CommandMeta, 'cause'>,
): Promise<Outcome<OrderState>> {
  // Read in one trip, and the product is decided on as it was read.
  const [existing] = await Promise.all([
    handler.load(orderDecider, command.orderId),
    handler.load(productDecider, command.productId),
  ]);
  if (existing.state.status !== 'absent' && existing.state.draft.productId !== command.productId) {
    return refuse({ code: 'idempotency_key_reused' }) as Outcome<OrderState>;
  }
  const cause = placementCause(command.orderId);
  const reduced = await handler.execute(productDecider, command.productId, command, { ...meta, cause });
  if (reduced.kind === 'refused') return reduced;
  const reduction = [...reduced.prior, ...reduced.events].find((event) => event.type === 'StockReduced');
  if (!reduction) throw new Error(`${cause} yielded no StockReduced.`);
  return finishPlacement(handler, reduction.data, meta);
}

/**
 * The second half of a placement: the order's stream, built from the reduction alone. Where another product's reduction
 * has taken the order's id in the meantime, this one's stock goes back.
 */
export async function finishPlacement(
  handler: CommandHandler,
  { draft, person, personal }: Reduction,
  meta: Omit<CommandMeta, 'cause'>,
): Promise<Outcome<OrderState>> {
  const placed = await handler.execute(
    orderDecider,
    draft.orderId,
    { type: 'PlaceOrder', draft, customer: person, delivery: personal },
    { ...meta, cause: placementCause(draft.orderId), time: draft.placedAt },
    { admitted: true },
  );
  if (placed.kind === 'refused') {
    const { orderId, productId, quantity } = draft;
    const back = { ...meta, cause: returnCause(orderId) };
    await handler.execute(productDecider, productId, { type: 'ReturnStock', orderId, quantity }, back, {
      admitted: true,
    });
  }
  return placed;
}
