import type { DomainEvent, EventData } from '../../contracts/events.ts';

/**
 * A hold reserves a slot for one unpaid order. Two attempts to place the same order create two holds, which count as
 * one unpaid order.
 */
export type Hold = EventData<'HoldPlaced'>;

/**
 * A customer's holds and the pace of the customer's requests. The id of an allowance's stream is the customer's user
 * id.
 */
export interface AllowanceState {
  readonly holds: readonly Hold[];
  /**
   * The time when the full burst of placements is available again, in ms since the epoch. Each placement postpones this
   * time by PLACEMENT_PACE.everyMs.
   */
  readonly restedAt: number;
  readonly reviewsRestedAt: number;
  readonly changesRestedAt: number;
}

/** Allows `burst` placements in quick succession, and then one placement every `everyMs`. */
export const PLACEMENT_PACE = { burst: 30, everyMs: 5_000 } as const;
export const REVIEW_PACE = { burst: 10, everyMs: 60_000 } as const;
export const CHANGE_PACE = { burst: 20, everyMs: 30_000 } as const;

export const MAX_UNPAID_UNVERIFIED = 3;

/**
 * How long stock is held for an order if the order takes much of the product's stock, or if the customer's e-mail
 * address is unverified (ORD6).
 */
export const SHORT_HOLD_MS = 30 * 60_000;

export interface TakeHold {
  readonly type: 'TakeHold';
  readonly holdId: string;
  readonly orderId: string;
  readonly productId: string;
  readonly quantity: number;
  /** the product's stock, including the pieces that the customer's unpaid orders hold */
  readonly offered: number;
  readonly minorder: number;
  readonly maxUnpaid: number;
  readonly emailVerified: boolean;
  /** ids of holds whose order has been paid or cancelled, or was never placed */
  readonly ended: readonly string[];
  readonly placedAt: string;
  readonly expiresAt: string;
}

export type AllowanceCommand =
  | TakeHold
  | { readonly type: 'ReleaseHold'; readonly holdId: string }
  | { readonly type: 'CountReview'; readonly reviewId: string; readonly at: string }
  | { readonly type: 'CountChange'; readonly at: string };

export const initialAllowanceState: AllowanceState = { holds: [], restedAt: 0, reviewsRestedAt: 0, changesRestedAt: 0 };

export function evolveAllowance(state: AllowanceState, event: DomainEvent): AllowanceState {
  switch (event.type) {
    case 'HoldPlaced': {
      const { orderId, placedAt } = event.data;
      const holds = [...state.holds, event.data];
      // Repeated attempts to place the same order count as a single placement.
      if (state.holds.some((hold) => hold.orderId === orderId)) return { ...state, holds };
      return { ...state, holds, restedAt: restedAfter(state.restedAt, placedAt, PLACEMENT_PACE) };
    }
    case 'HoldsReleased': {
      const released = new Set(event.data.holdIds);
      return { ...state, holds: state.holds.filter(({ holdId }) => !released.has(holdId)) };
    }
    case 'ReviewCounted':
      return { ...state, reviewsRestedAt: restedAfter(state.reviewsRestedAt, event.data.at, REVIEW_PACE) };
    case 'ChangeCounted':
      return { ...state, changesRestedAt: restedAfter(state.changesRestedAt, event.data.at, CHANGE_PACE) };
    default:
      return state;
  }
}

function restedAfter(restedAt: number, time: string, { everyMs }: { readonly everyMs: number }): number {
  return Math.max(restedAt, Date.parse(time)) + everyMs;
}
