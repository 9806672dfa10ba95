import { accept, type Decider, type Decision, NOTHING_TO_DO, refuse, unreachable } from '../../contracts/decider.ts';
import type { DomainEvent } from '../../contracts/events.ts';
import {
  type AllowanceCommand,
  type AllowanceState,
  CHANGE_PACE,
  evolveAllowance,
  type Hold,
  initialAllowanceState,
  MAX_UNPAID_UNVERIFIED,
  PLACEMENT_PACE,
  REVIEW_PACE,
  SHORT_HOLD_MS,
  type TakeHold,
} from './allowance.ts';

type CountReview = Extract<AllowanceCommand, { type: 'CountReview' }>;
type CountChange = Extract<AllowanceCommand, { type: 'CountChange' }>;

/**
 * Limits how many unpaid orders a customer may have, how fast the customer may place orders (ORD7), and how long each
 * order's stock is held (ORD6). Also limits how fast a person may post reviews (REV1) and change deliveries, tracking
 * links and the profile (CMD8).
 */
export const allowanceDecider: Decider<AllowanceState, AllowanceCommand> = {
  kind: 'allowance',
  initialState: initialAllowanceState,
  evolve: evolveAllowance,
  decide(command, state, { prior }) {
    switch (command.type) {
      case 'TakeHold':
        return takeHold(command, state);
      case 'ReleaseHold':
        return state.holds.some(({ holdId }) => holdId === command.holdId)
          ? accept({ type: 'HoldsReleased', data: { holdIds: [command.holdId] } })
          : NOTHING_TO_DO;
      case 'CountReview':
        return countReview(command, state, prior);
      case 'CountChange':
        return countChange(command, state, prior);
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
  const retryAfterMs = waitOf(restedAt, placedAt, PLACEMENT_PACE);
  if (retryAfterMs > 0 && !tried) return refuse({ code: 'orders_too_fast', retryAfterMs });
  const events: DomainEvent[] = ended.length > 0 ? [{ type: 'HoldsReleased', data: { holdIds: ended } }] : [];
  const expiresAt = endOfHold(command, others);
  const hold: Hold = { holdId, orderId, productId, quantity, placedAt, expiresAt };
  return accept(...events, { type: 'HoldPlaced', data: hold });
}

/** Counts requests with the same Idempotency-Key only once. The key can't be reused for another review (CMD3). */
function countReview({ reviewId, at }: CountReview, state: AllowanceState, prior: readonly DomainEvent[]): Decision {
  const [first] = prior;
  if (first) {
    const same = first.type === 'ReviewCounted' && first.data.reviewId === reviewId;
    return same ? NOTHING_TO_DO : refuse({ code: 'idempotency_key_reused' });
  }
  const retryAfterMs = waitOf(state.reviewsRestedAt, at, REVIEW_PACE);
  if (retryAfterMs > 0) return refuse({ code: 'reviews_too_fast', retryAfterMs });
  return accept({ type: 'ReviewCounted', data: { reviewId, at } });
}

function countChange({ at }: CountChange, state: AllowanceState, prior: readonly DomainEvent[]): Decision {
  if (prior.length > 0) return NOTHING_TO_DO;
  const retryAfterMs = waitOf(state.changesRestedAt, at, CHANGE_PACE);
  if (retryAfterMs > 0) return refuse({ code: 'changes_too_fast', retryAfterMs });
  return accept({ type: 'ChangeCounted', data: { at } });
}

/** Returns how long to wait, in ms. 0 or less means that no wait is needed. */
function waitOf(restedAt: number, now: string, { burst, everyMs }: { burst: number; everyMs: number }): number {
  return restedAt - Date.parse(now) - (burst - 1) * everyMs;
}

function byOrder(holds: readonly Hold[]): readonly Hold[] {
  return [...new Map(holds.map((hold) => [hold.orderId, hold])).values()];
}

/**
 * Returns the time when the hold expires. The hold is short if the customer's e-mail address is unverified. It's also
 * short if the customer would hold more than half of the product's stock and more than the product's minimum order
 * quantity.
 */
function endOfHold(command: TakeHold, others: readonly Hold[]): string {
  const { productId, quantity, offered, minorder, emailVerified, placedAt, expiresAt } = command;
  const held = others
    .filter((hold) => hold.productId === productId)
    .reduce((sum, hold) => sum + hold.quantity, quantity);
  const takesMuch = held > offered / 2 && held > minorder;
  if (emailVerified && !takesMuch) return expiresAt;
  const short = new Date(Date.parse(placedAt) + SHORT_HOLD_MS).toISOString();
  return short < expiresAt ? short : expiresAt;
}
