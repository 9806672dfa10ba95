import type { CommandMeta, Outcome } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { productDecider } from '../product/decide-product.ts';
import type { ProductState, ReduceStock } from '../product/product.ts';
import type { AllowanceState, Hold } from './allowance.ts';
import { allowanceDecider } from './decide-allowance.ts';
import { orderDecider } from './decide-order.ts';

/**
 * The age, in ms, at which a hold without an order is considered left over from an interrupted placement. A placement
 * normally takes milliseconds.
 */
export const ABANDONED_AFTER_MS = 120_000;

/** An order as the customer requested it. Its number is assigned when the stock is taken. */
export type Placement = Omit<ReduceStock, 'number'>;

export interface HoldTerms {
  /** unique for each attempt to place an order */
  readonly holdId: string;
  readonly maxUnpaid: number;
  readonly emailVerified: boolean;
}

type Meta = Omit<CommandMeta, 'cause'>;
type Product = { readonly state: ProductState; readonly version: number };

/**
 * Takes a slot from the customer's allowance before the stock is taken (ORD7). All of a customer's slots are recorded
 * on one stream, so that stream's version check makes this step atomic across all processes. If the product's decider
 * refuses the order, no slot is taken, unless an earlier attempt to place this order may have taken the stock.
 *
 * A customer may place several orders at the same time. Each placement writes in this order: it appends its hold, takes
 * the stock, and opens the order. The reads that decide go the other way, so a read that sees one of another placement's
 * writes is followed by a read that sees the earlier ones: `mayHaveTakenStock` reads the allowance again after the
 * product, and `offeredTo` reads the product again after the orders.
 */
export async function takeHold(
  handler: CommandHandler,
  command: Placement,
  meta: Meta,
  { terms, product, allowance }: { terms: HoldTerms; product: Product; allowance: AllowanceState },
): Promise<Outcome<AllowanceState>> {
  const { orderId, productId, quantity, userId, placedAt, expiresAt } = command;
  // This only checks whether the product would refuse the order. Nothing is appended to the product's stream yet.
  const decision = productDecider.decide({ ...command, number: '' }, product.state, { ...product, prior: [] });
  if (decision.kind === 'refused' && !(await mayHaveTakenStock(handler, command, allowance))) return decision;
  const { offered, ended } = await offeredTo(handler, command, product.state, allowance);
  const minorder = product.state.status === 'absent' ? 0 : product.state.details.minorder;
  const order = { orderId, productId, quantity, placedAt, expiresAt };
  const take = (released: readonly string[]) => {
    const hold = { type: 'TakeHold', ...terms, ...order, offered, minorder, ended: released } as const;
    return handler.execute(allowanceDecider, userId, hold, { ...meta, cause: `hold:${terms.holdId}` });
  };
  const taken = await take(ended);
  if (taken.kind !== 'refused' || taken.refusal.code !== 'too_many_unpaid_orders') return taken;
  // An order's slot isn't freed when the order is paid or cancelled. If the allowance is full, each hold's order is
  // therefore checked, and the holds of orders that are no longer unpaid are released.
  const { holds } = (await handler.load(allowanceDecider, userId)).state;
  const endedSince = endedOf(await standingOf(handler, holds, placedAt));
  return endedSince.length > 0 ? take(endedSince) : taken;
}

export async function releaseHold(
  handler: CommandHandler,
  { userId }: Placement,
  meta: Meta,
  { holdId }: HoldTerms,
): Promise<void> {
  const named = { ...meta, cause: `release:${holdId}` };
  await handler.execute(allowanceDecider, userId, { type: 'ReleaseHold', holdId }, named, { bypassLimits: true });
}

/**
 * Returns true if an earlier attempt to place the same order has a hold. That attempt may have taken the stock, in
 * which case this attempt must not be refused for lack of stock (CMD3). `seen` may be too old to contain the hold, so
 * the allowance is read again. An attempt takes stock only after it has appended its hold, so if the stock was taken,
 * this second read finds the hold.
 */
async function mayHaveTakenStock(handler: CommandHandler, { orderId, userId }: Placement, seen: AllowanceState) {
  const holds = (of: AllowanceState) => of.holds.some((hold) => hold.orderId === orderId);
  return holds(seen) || holds((await handler.load(allowanceDecider, userId)).state);
}

/**
 * Returns two values. `offered` is the product's stock plus the pieces held by this customer's unpaid orders. `ended`
 * lists the ids of the customer's holds on this product that have ended. A customer who holds a large part of `offered`
 * gets only a short time to pay (ORD6).
 */
async function offeredTo(
  handler: CommandHandler,
  { productId, placedAt }: Placement,
  product: ProductState,
  { holds }: AllowanceState,
): Promise<{ readonly offered: number; readonly ended: readonly string[] }> {
  const holdsOfProduct = holds.filter((hold) => hold.productId === productId);
  if (holdsOfProduct.length === 0) return { offered: stockOf(product), ended: [] };
  const standings = await standingOf(handler, holdsOfProduct, placedAt);
  const newest = (await handler.load(productDecider, productId)).state;
  // Each attempt to place an order has its own hold, but the order's stock is taken only once.
  const unpaid = new Map(
    standings.filter(({ standing }) => standing === 'unpaid').map(({ hold }) => [hold.orderId, hold.quantity]),
  );
  const held = [...unpaid.values()].reduce((sum, quantity) => sum + quantity, 0);
  // If an order was cancelled after its status was read, the stock in `newest` already includes its pieces again. If an
  // order took its pieces after `product` was read, the stock in `product` still includes them. Adding `held` to that
  // stock would count these pieces twice, so the smaller of the two stocks is used.
  const stock = Math.min(stockOf(product), stockOf(newest));
  return { offered: stock + held, ended: endedOf(standings) };
}

/** `pending` means that the placement is in flight. It may not have taken the stock yet, so its quantity isn't added to `offered`. */
type Standing = { readonly hold: Hold; readonly standing: 'pending' | 'unpaid' | 'ended' };

function standingOf(handler: CommandHandler, holds: readonly Hold[], now: string): Promise<Standing[]> {
  return Promise.all(
    holds.map(async (hold): Promise<Standing> => {
      const { status } = (await handler.load(orderDecider, hold.orderId)).state;
      if (status !== 'absent') return { hold, standing: status === 'unpaid' ? 'unpaid' : 'ended' };
      const abandoned = Date.parse(now) - Date.parse(hold.placedAt) > ABANDONED_AFTER_MS;
      return { hold, standing: abandoned ? 'ended' : 'pending' };
    }),
  );
}

function endedOf(standings: readonly Standing[]): string[] {
  return standings.filter(({ standing }) => standing === 'ended').map(({ hold }) => hold.holdId);
}

const stockOf = (product: ProductState): number => (product.status === 'absent' ? 0 : product.stock);
