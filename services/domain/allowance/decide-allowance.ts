import type { DomainEvent } from '../../contracts/events.ts';
import { accept, type Decider, type Decision, NOTHING_TO_DO, refuse, unreachable } from '../decider.ts';
import {
  type AllowanceCommand,
  type AllowanceState,
  evolveAllowance,
  type Hold,
  initialAllowanceState,
  MAX_UNPAID_UNVERIFIED,
  PLACEMENT_PACE,
  SHORT_HOLD_MS,
  type TakeHold,
} from './allowance.ts';

/** The rules of what one customer may hold unpaid (ORD7), and for how long (ORD6). */
export const allowanceDecider: Decider<AllowanceState, AllowanceCommand> = {
  kind: 'allowance',
  initialState: initialAllowanceState,
  evolve: evolveAllowance,
  decide(command, state) {
    switch (command.type) {
      case 'TakeHold':
        return takeHold(command, state);
      case 'ReleaseHold':
        return state.holds.some(({ holdId }) => holdId === command.holdId)
          ? accept({ type: 'HoldsReleased', data: { holdIds: [command.holdId] } })
          : NOTHING_TO_DO;
      default:
        return unreachable(command);
    }
  },
};

function takeHold(command: TakeHold, { holds, restedAt }: AllowanceState): Decision {
  const { holdId, orderId, productId, quantity, placedAt, maxUnpaid, emailVerified } = command;
  const ended = holds.map((hold) => hold.holdId).filter((id) => command.ended.includes(id));
  const others = byOrder(holds.filter((hold) => hold.orderId !== orderId && !ended.includes(hold.holdId)));
  const most = emailVerified ? maxUnpaid : Math.min(maxUnpaid, MAX_UNPAID_UNVERIFIED);
  if (others.length >= most) return refuse({ code: 'too_many_unpaid_orders', most });
  const tried = holds.some((hold) => hold.orderId === orderId);
  const retryAfterMs = restedAt - Date.parse(placedAt) - (PLACEMENT_PACE.burst - 1) * PLACEMENT_PACE.everyMs;
  if (retryAfterMs > 0 && !tried) return refuse({ code: 'orders_too_fast', retryAfterMs });
  const events: DomainEvent[] = ended.length > 0 ? [{ type: 'HoldsReleased', data: { holdIds: ended } }] : [];
  const expiresAt = endOfHold(command, others);
  const hold: Hold = { holdId, orderId, productId, quantity, placedAt, expiresAt };
  return accept(...events, { type: 'HoldPlaced', data: hold });
}

/** One hold of each order. */
function byOrder(holds: readonly Hold[]): readonly Hold[] {
  return [...new Map(holds.map((hold) => [hold.orderId, hold])).values()];
}

/** Short for whom nobody vouches, and for what takes the customer beyond half of a product and beyond one minimum order. */
function endOfHold(command: TakeHold, others: readonly Hold[]): string {
  const { productId, quantity, stock, minorder, emailVerified, placedAt, expiresAt } = command;
  const heldBefore = others
    .filter((hold) => hold.productId === productId)
    .reduce((sum, hold) => sum + hold.quantity, 0);
  const held = heldBefore + quantity;
  const takesMuch = held > (stock + heldBefore) / 2 && held > minorder;
  if (emailVerified && !takesMuch) return expiresAt;
  const short = new Date(Date.parse(placedAt) + SHORT_HOLD_MS).toISOString();
  return short < expiresAt ? short : expiresAt;
}
