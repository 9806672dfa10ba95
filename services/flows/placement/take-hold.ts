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
  const { offered, ended } = await offeredTo(handler, command, product.state, allowance);
  const minorder = product.state.status === 'absent' ? 0 : product.state.details.minorder;
  const take = (free: readonly string[]) =>
    handler.execute(
      allowanceDecider,
      customer,
      {
        type: 'TakeHold',
        ...terms,
        ...{ orderId, productId, quantity, offered, minorder, placedAt, expiresAt },
        ended: free,
      },
      { ...meta, cause: `hold:${terms.holdId}` },
    );
  const taken = await take(ended);
  if (taken.kind !== 'refused' || taken.refusal.code !== 'too_many_unpaid_orders') return taken;
  // Nothing follows a payment or a cancellation here: whose allowance seems to be full is asked which orders are unpaid no more.
  const now = (await handler.load(allowanceDecider, customer)).state;
  const free = endedOf(await standingOf(handler, now.holds, placedAt));
  return free.length > 0 ? take(free) : taken;
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

/**
 * What there would be of the product if this customer held none of it, and which of their holds of it have ended. What a
 * placement in flight may not have taken yet is not added, so that placements at once see no more than there is.
 */
async function offeredTo(
  handler: CommandHandler,
  { productId, placedAt }: ReduceStock,
  product: ProductState,
  { holds }: AllowanceState,
): Promise<{ readonly offered: number; readonly ended: readonly string[] }> {
  const ofIt = holds.filter((hold) => hold.productId === productId);
  if (ofIt.length === 0) return { offered: stockOf(product), ended: [] };
  const known = await standingOf(handler, ofIt, placedAt);
  // Read again after the orders: what they have taken is surely in it no more.
  const now = (await handler.load(productDecider, productId)).state;
  const taken = new Map(known.filter(({ standing }) => standing === 'unpaid').map(({ hold }) => [hold.orderId, hold]));
  const held = [...taken.values()].reduce((sum, { quantity }) => sum + quantity, 0);
  return { offered: Math.min(stockOf(product), stockOf(now)) + held, ended: endedOf(known) };
}

/** `coming`: its placement is in flight; `ended`: it holds nothing any more. */
type Standing = { readonly hold: Hold; readonly standing: 'coming' | 'unpaid' | 'ended' };

function standingOf(handler: CommandHandler, holds: readonly Hold[], now: string): Promise<Standing[]> {
  return Promise.all(
    holds.map(async (hold): Promise<Standing> => {
      const { status } = (await handler.load(orderDecider, hold.orderId)).state;
      if (status !== 'absent') return { hold, standing: status === 'unpaid' ? 'unpaid' : 'ended' };
      const abandoned = Date.parse(now) - Date.parse(hold.placedAt) > ABANDONED_AFTER_MS;
      return { hold, standing: abandoned ? 'ended' : 'coming' };
    }),
  );
}

function endedOf(known: readonly Standing[]): string[] {
  return known.filter(({ standing }) => standing === 'ended').map(({ hold }) => hold.holdId);
}

const stockOf = (product: ProductState): number => (product.status === 'absent' ? 0 : product.stock);
