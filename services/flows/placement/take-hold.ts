import type { CommandMeta, Outcome } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { AllowanceState, Hold } from '../../shop/allowance/allowance.ts';
import { allowanceDecider } from '../../shop/allowance/decide-allowance.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import { productDecider } from '../../shop/product/decide-product.ts';
import type { ProductState, ReduceStock } from '../../shop/product/product.ts';

/** A hold without an order is then left over from a cut placement, which normally takes milliseconds. */
const ABANDONED_AFTER_MS = 120_000;

/** An order as it is asked for: its number is taken with the stock. */
export type Placement = Omit<ReduceStock, 'number'>;

export interface HoldTerms {
  /** unique for each try to place an order */
  readonly holdId: string;
  readonly maxUnpaid: number;
  readonly emailVerified: boolean;
}

type Meta = Omit<CommandMeta, 'cause'>;
type Product = { readonly state: ProductState; readonly version: number };

/**
 * Takes a slot of the customer's allowance before the stock (ORD7), atomic over all copies by the version check of the customer's
 * one stream. An order that the product's decider refuses takes none.
 */
export async function takeHold(
  handler: CommandHandler,
  command: Placement,
  meta: Meta,
  { terms, product, allowance }: { terms: HoldTerms; product: Product; allowance: AllowanceState },
): Promise<Outcome<AllowanceState>> {
  const { orderId, productId, quantity, customer, placedAt, expiresAt } = command;
  // Asked for the refusal alone.
  const decision = productDecider.decide({ ...command, number: '' }, product.state, { ...product, prior: [] });
  if (decision.kind === 'refused' && !(await isHeld(handler, command, allowance))) return decision;
  const { offered, ended } = await offeredTo(handler, command, product.state, allowance);
  const minorder = product.state.status === 'absent' ? 0 : product.state.details.minorder;
  const hold = {
    type: 'TakeHold',
    ...terms,
    orderId,
    productId,
    quantity,
    offered,
    minorder,
    placedAt,
    expiresAt,
  } as const;
  const cause = `hold:${terms.holdId}`;
  const take = (ended: readonly string[]) =>
    handler.execute(allowanceDecider, customer, { ...hold, ended }, { ...meta, cause });
  const taken = await take(ended);
  if (taken.kind !== 'refused' || taken.refusal.code !== 'too_many_unpaid_orders') return taken;
  // No event frees a slot when an order is paid or cancelled, so a full allowance is compared with its orders.
  const now = (await handler.load(allowanceDecider, customer)).state;
  const nowEnded = endedOf(await standingOf(handler, now.holds, placedAt));
  return nowEnded.length > 0 ? take(nowEnded) : taken;
}

export async function releaseHold(
  handler: CommandHandler,
  { customer }: Placement,
  meta: Meta,
  { holdId }: HoldTerms,
): Promise<void> {
  const named = { ...meta, cause: `release:${holdId}` };
  await handler.execute(allowanceDecider, customer, { type: 'ReleaseHold', holdId }, named, { admitted: true });
}

/** Whether an earlier try at the same order may have taken the stock, so that a repeat must not be refused (CMD3). */
async function isHeld(handler: CommandHandler, { orderId, customer }: Placement, seen: AllowanceState) {
  const holds = (of: AllowanceState) => of.holds.some((hold) => hold.orderId === orderId);
  // `seen` may be older than the product, and a hold comes before its reduction: read again.
  return holds(seen) || holds((await handler.load(allowanceDecider, customer)).state);
}

/** The product's stock if this customer held none of it, and which of their holds of it have ended. */
async function offeredTo(
  handler: CommandHandler,
  { productId, placedAt }: Placement,
  product: ProductState,
  { holds }: AllowanceState,
): Promise<{ readonly offered: number; readonly ended: readonly string[] }> {
  const ofIt = holds.filter((hold) => hold.productId === productId);
  if (ofIt.length === 0) return { offered: stockOf(product), ended: [] };
  const known = await standingOf(handler, ofIt, placedAt);
  // Read again after the orders, so that what they took is surely subtracted.
  const now = (await handler.load(productDecider, productId)).state;
  const taken = new Map(known.filter(({ standing }) => standing === 'unpaid').map(({ hold }) => [hold.orderId, hold]));
  const held = [...taken.values()].reduce((sum, { quantity }) => sum + quantity, 0);
  return { offered: Math.min(stockOf(product), stockOf(now)) + held, ended: endedOf(known) };
}

/** `pending`: its placement is in flight, and may not have taken the stock yet. */
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

function endedOf(known: readonly Standing[]): string[] {
  return known.filter(({ standing }) => standing === 'ended').map(({ hold }) => hold.holdId);
}

const stockOf = (product: ProductState): number => (product.status === 'absent' ? 0 : product.stock);
