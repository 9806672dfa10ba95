import { packingContract } from '../shop/packing/packing-claims.contract.ts';
import { createMemoryPackingClaims } from './memory-packing-claims.ts';

packingContract('memory', async () => {
  let now = 1_767_225_600_000;
  const claims = createMemoryPackingClaims(() => now);
  return {
    join: async () => ({ claims, feed: claims }),
    async pass(milliseconds) {
      now += milliseconds;
    },
    now: async () => now,
    dispose: () => claims.close(),
  };
});
