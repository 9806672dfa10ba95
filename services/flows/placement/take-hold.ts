import type { CommandMeta, Outcome } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { AllowanceState, Hold } from '../../shop/allowance/allowance.ts';
import { allowanceDecider } from '../../shop/allowance/decide-allowance.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import { productDecider } from '../../shop/product/decide-product.ts';
import type { ProductState, ReduceStock } from '../../shop/product/product.ts';

/** A hold whose order has not come after this long belongs to a placement that was cut: any other takes milliseconds. */
const ABANDONED_AFTER_MS = 120_000;

/** What a customer may hold, and for which try. */
export interface HoldTerms {
  /** unique among all tries to place an order */
  readonly holdId: string;
  readonly maxUnpaid: number;
  readonly emailVerified: boolean;
}

type Meta = Omit<CommandMeta, 'cause'>;
type Product = { readonly state: ProductState; readonly version: number };

/**
 * Takes a slot of the customer's allowance for an order (ORD7), before its stock is taken. The version check of the
 * customer's one stream makes that atomic over all copies. An order that the product's rules refuse takes none.
 */
export async function takeHold(
  handler: CommandHandler,
  command: ReduceStock,
  meta: Meta,
  { terms, product, allowance }: { terms: HoldTerms; product: Product; allowance: AllowanceState },
): Promise<Outcome<AllowanceState>> {
  const { orderId, productId, quantity, customer, placedAt, expiresAt } = command;
  const decision = productDecider.decide(command, product.state, { ...product, prior: [] });
  if (decision.kind === 'refused' && !(await isHeld(handler, command, allowance))) return decision;
  const { stock, minorder } = stockOf(product.state);
  const take = (ended: readonly string[]) =>
    handler.execute(
      allowanceDecider,
      customer,
      {
        type: 'TakeHold',
        ...terms,
        ...{ orderId, productId, quantity, stock, minorder, placedAt, expiresAt },
        ended,
      },
      { ...meta, cause: `hold:${terms.holdId}` },
    );
  // Orders are asked for only where the answer may matter: here for how long, and below whether it is held at all.
  const holdsOfIt = allowance.holds.some((hold) => hold.productId === productId);
  const taken = await take(holdsOfIt ? await endedHolds(handler, command, allowance) : []);
  if (taken.kind !== 'refused' || taken.refusal.code !== 'too_many_unpaid_orders') return taken;
  const ended = await endedHolds(handler, command, (await handler.load(allowanceDecider, customer)).state);
  return ended.length > 0 ? take(ended) : taken;
}

/** Gives the slot of a placement back that came to nothing. */
export async function releaseHold(
  handler: CommandHandler,
  { customer }: ReduceStock,
  meta: Meta,
  { holdId }: HoldTerms,
): Promise<void> {
  const cause = `release:${holdId}`;
  await handler.execute(
    allowanceDecider,
    customer,
    { type: 'ReleaseHold', holdId },
    { ...meta, cause },
    {
      admitted: true,
    },
  );
}

/** Whether an earlier try at the same order may have taken the stock already, so that nothing is to be refused (CMD3). */
async function isHeld(handler: CommandHandler, { orderId, customer }: ReduceStock, seen: AllowanceState) {
  const holds = (of: AllowanceState) => of.holds.some((hold) => hold.orderId === orderId);
  // Read beside the product it may be older than that: a hold comes before its reduction.
  return holds(seen) || holds((await handler.load(allowanceDecider, customer)).state);
}

/** The holds that hold nothing any more. They are looked for, so that nothing has to follow a payment or a cancellation. */
async function endedHolds(
  handler: CommandHandler,
  { placedAt }: ReduceStock,
  { holds }: AllowanceState,
): Promise<string[]> {
  const ended = await Promise.all(holds.map((hold) => hasEnded(handler, hold, placedAt)));
  return holds.filter((_, index) => ended[index]).map(({ holdId }) => holdId);
}

async function hasEnded(handler: CommandHandler, hold: Hold, now: string): Promise<boolean> {
  const { status } = (await handler.load(orderDecider, hold.orderId)).state;
  return status === 'absent' ? Date.parse(now) - Date.parse(hold.placedAt) > ABANDONED_AFTER_MS : status !== 'unpaid';
}

function stockOf(product: ProductState): { stock: number; minorder: number } {
  return product.status === 'absent'
    ? { stock: 0, minorder: 0 }
    : { stock: product.stock, minorder: product.details.minorder };
}
