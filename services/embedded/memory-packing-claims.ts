import type { PackingPush } from '../contracts/packing/packing.ts';
import type { Clock } from '../runtime/clock.ts';
import {
  CLAIM_MS,
  type KeptClaim,
  MOST_CLAIMS,
  type PackingClaims,
  type PackingFeed,
} from '../shop/packing/packing-claims.ts';

/** Creates an in-memory store of packing claims. */
export function createMemoryPackingClaims(clock: Clock): PackingClaims & PackingFeed {
  const claims = new Map<string, KeptClaim>();
  const listeners = new Set<(push: PackingPush) => void>();

  function present(): KeptClaim[] {
    const now = clock();
    for (const { order, until } of claims.values()) if (until <= now) claims.delete(order);
    return [...claims.values()];
  }

  function tell(push: PackingPush): void {
    for (const listener of listeners) listener(push);
  }

  return {
    async claim(order, by) {
      const mine = present().filter(({ userId }) => userId === by.id).length;
      const last = claims.get(order);
      if (last && last.userId !== by.id) return last;
      if (!last && mine >= MOST_CLAIMS) return null;
      const claim = { order, userId: by.id, until: clock() + CLAIM_MS };
      claims.set(order, claim);
      tell({ order, by, left: CLAIM_MS });
      return claim;
    },
    async release(order, userId) {
      if (!present().some((claim) => claim.order === order && claim.userId === userId)) return false;
      claims.delete(order);
      tell({ order, by: null, left: null });
      return true;
    },
    list: async () => present(),
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    async close() {
      listeners.clear();
    },
  };
}
