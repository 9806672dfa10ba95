import { refuse } from '../../contracts/decider.ts';
import type { EventData } from '../../contracts/events.ts';
import type { OrderDraft } from '../../contracts/order/order-draft.ts';
import type { CommandMeta, Outcome } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { productDecider } from '../product/decide-product.ts';
import type { ProductState } from '../product/product.ts';
import { allowanceDecider } from './decide-allowance.ts';
import { orderDecider } from './decide-order.ts';
import type { OrderState } from './order.ts';
import type { OrderNumbers } from './order-numbers-flow.ts';
import { type HoldTerms, type Placement, releaseHold, takeHold } from './take-hold-flow.ts';

type Reduction = EventData<'StockReduced'>;
type Meta = Omit<CommandMeta, 'cause'>;

export interface PlacingShop {
  readonly handler: CommandHandler;
  readonly numbers: OrderNumbers;
}

export function placementCause(orderId: string): string {
  return `place:${orderId}`;
}

/**
 * Places an order in three steps. First takes a slot from the customer's allowance, unless `terms` is null (ORD7). Then
 * takes the stock by appending a `StockReduced` event with the whole order draft to the product's stream. Finally opens
 * the order's stream with that draft (ORD1). A repeated call has the same outcome and the same order number (CMD3,
 * ORD8).
 * @throws Overloaded, but never after the first append
 */
export async function placeOrder(
  shop: PlacingShop,
  command: Placement,
  meta: Meta,
  terms: HoldTerms | null = null,
): Promise<Outcome<OrderState>> {
  const { handler } = shop;
  // Under load, the product's queue is the first to fill up. It is checked before a hold is appended to the customer's
  // allowance, so that a rejected order leaves no hold behind.
  handler.assertRoom(productDecider, command.productId);
  const [order, product, allowance] = await Promise.all([
    handler.load(orderDecider, command.orderId),
    handler.load(productDecider, command.productId),
    terms && handler.load(allowanceDecider, command.userId),
  ]);
  if (order.state.status !== 'absent' && order.state.productId !== command.productId) {
    return refuse({ code: 'idempotency_key_reused' }) as Outcome<OrderState>;
  }
  if (order.state.status !== 'absent') return takeStock(shop, command, meta, order.state.number);
  if (!terms || !allowance) return takeStock(shop, command, meta);
  const held = await takeHold(handler, command, meta, { terms, product, allowance: allowance.state });
  if (held.kind === 'refused') return held;
  const hold = held.events.find((event) => event.type === 'HoldPlaced');
  if (!hold) throw new Error(`Placing order ${command.orderId} produced no HoldPlaced event.`);
  const placed = await takeStock(shop, { ...command, expiresAt: hold.data.expiresAt }, meta);
  if (placed.kind === 'refused') await releaseHold(handler, command, meta, terms);
  return placed;
}

/** Takes the stock and opens the order. Uses a new order number, or the `known` number if the placement is being repeated. */
async function takeStock(
  { handler, numbers }: PlacingShop,
  command: Placement,
  meta: Meta,
  known?: string,
): Promise<Outcome<OrderState>> {
  const cause = placementCause(command.orderId);
  const number = known ?? (await numbers.take());
  const numbered = { ...command, number };
  const reduced = await handler.execute(
    productDecider,
    command.productId,
    numbered,
    { ...meta, cause },
    { bypassLimits: true },
  );
  const yielded = reduced.kind === 'refused' ? [] : [...reduced.prior, ...reduced.events];
  const reduction = yielded.find((event) => event.type === 'StockReduced');
  if (known === undefined && reduction?.data.draft.number !== number) numbers.giveBack(number);
  if (reduced.kind === 'refused') return reduced;
  if (!reduction) throw new Error(`Command ${cause} produced no StockReduced event.`);
  return finishPlacement(handler, reduction.data, meta);
}

/**
 * Opens an order's stream with the data of its `StockReduced` event. If the id already belongs to an order for another
 * product, puts the pieces back in stock.
 */
export async function finishPlacement(
  handler: CommandHandler,
  { draft, person: userId, personal }: Reduction,
  meta: Meta,
): Promise<Outcome<OrderState>> {
  const placed = await handler.execute(
    orderDecider,
    draft.orderId,
    { type: 'PlaceOrder', draft, userId, delivery: personal },
    { ...meta, cause: placementCause(draft.orderId), time: draft.placedAt },
    { bypassLimits: true },
  );
  if (placed.kind === 'refused') {
    await returnStock(handler, draft, meta);
  }
  return placed;
}

/**
 * Puts an order's pieces back in the product's stock. The command's cause contains the order id, so the pieces are put
 * back at most once (ORD5).
 */
export function returnStock(
  handler: CommandHandler,
  { orderId, productId, quantity }: Pick<OrderDraft, 'orderId' | 'productId' | 'quantity'>,
  meta: Meta,
): Promise<Outcome<ProductState>> {
  const command = { type: 'ReturnStock', orderId, quantity } as const;
  const returning = { ...meta, cause: `return:${orderId}` };
  return handler.execute(productDecider, productId, command, returning, { bypassLimits: true });
}
