import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackingPush } from '../../contracts/packing/packing.ts';
import { CLAIM_MS, MOST_CLAIMS, type PackingClaims, type PackingFeed } from './packing-claims.ts';

export interface PackingHarness {
  /**
   * Opens the claims and feed as another process would. If the adapter works in only one process, returns the same
   * claims and feed each time.
   */
  join(): Promise<{ readonly claims: PackingClaims; readonly feed: PackingFeed }>;
  /** Advances the claims' clock by `milliseconds`. */
  pass(milliseconds: number): Promise<void>;
  now(): Promise<number>;
  dispose(): Promise<void>;
}

const PATIENCE = { timeout: 10_000, interval: 5 };
const MINA = { id: 'a'.repeat(24), name: 'মিনা "M"' };
const RUMI = { id: 'b'.repeat(24), name: 'Rumi' };
const order = (n: number) => n.toString(16).padStart(32, '0');

/** Defines the tests that every adapter of PackingClaims and PackingFeed has to pass. */
export function packingContract(adapter: string, start: () => Promise<PackingHarness>): void {
  describe(`PackingClaims: ${adapter}`, () => {
    let harness: PackingHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(() => harness.dispose());

    /** Asserts that a claim requested between `begun` and now ends two minutes after it was requested. */
    async function endsAfter(until: number | undefined, begun: number): Promise<void> {
      expect(until).toBeGreaterThanOrEqual(begun + CLAIM_MS);
      expect(until).toBeLessThanOrEqual((await harness.now()) + CLAIM_MS);
    }

    it('PACK1 the first admin to claim an order holds the claim, on every copy of the shop, until that admin releases it', async () => {
      const [{ claims: one }, { claims: other }] = [await harness.join(), await harness.join()];
      const begun = await harness.now();
      const claim = await one.claim(order(1), MINA);
      expect(claim).toMatchObject({ order: order(1), userId: MINA.id });
      await endsAfter(claim?.until, begun);
      expect(await other.claim(order(1), RUMI)).toEqual(claim);
      expect(await other.claim(order(2), RUMI)).toMatchObject({ order: order(2), userId: RUMI.id });
      expect((await one.list()).map((each) => [each.order, each.userId]).sort()).toEqual([
        [order(1), MINA.id],
        [order(2), RUMI.id],
      ]);
      expect(await other.release(order(1), RUMI.id)).toBe(false);
      expect(await other.release(order(1), MINA.id)).toBe(true);
      expect(await one.release(order(1), MINA.id)).toBe(false);
      expect((await one.list()).map((each) => each.order)).toEqual([order(2)]);
      expect(await one.claim(order(1), RUMI)).toMatchObject({ userId: RUMI.id });
    });

    it('PACK1 a claim expires two minutes after it was made or last renewed', async () => {
      const { claims } = await harness.join();
      await claims.claim(order(1), MINA);
      await claims.claim(order(2), MINA);
      await harness.pass(CLAIM_MS / 2);
      const begun = await harness.now();
      await endsAfter((await claims.claim(order(1), MINA))?.until, begun);
      await harness.pass(CLAIM_MS / 2);
      expect((await claims.list()).map((each) => each.order)).toEqual([order(1)]);
      expect(await claims.release(order(2), MINA.id)).toBe(false);
      expect(await claims.claim(order(2), RUMI)).toMatchObject({ userId: RUMI.id });
      await harness.pass(CLAIM_MS / 2);
      expect((await claims.list()).map((each) => each.order)).toEqual([order(2)]);
      await harness.pass(CLAIM_MS);
      expect(await claims.list()).toEqual([]);
    });

    it("PACK1 an admin who has reached the limit of claims can renew claims but can't claim another order, and other admins are not affected", async () => {
      const { claims } = await harness.join();
      const most = Array.from({ length: MOST_CLAIMS }, (_, index) => order(index));
      await Promise.all(most.map((each) => claims.claim(each, MINA)));
      expect(await claims.claim(order(MOST_CLAIMS), MINA)).toBeNull();
      expect(await claims.claim(order(7), MINA)).toMatchObject({ userId: MINA.id });
      expect(await claims.claim(order(MOST_CLAIMS), RUMI)).toMatchObject({ userId: RUMI.id });
      expect(await claims.claim(order(MOST_CLAIMS), MINA)).toMatchObject({ userId: RUMI.id });
      await claims.release(order(7), MINA.id);
      expect(await claims.claim(order(900), MINA)).toMatchObject({ userId: MINA.id });
      await harness.pass(CLAIM_MS);
      expect(await claims.claim(order(901), MINA)).toMatchObject({ userId: MINA.id });
    });

    it('PACK1 every copy of the shop is notified of claims, renewals and releases in order, but not of refused claims', async () => {
      const [{ claims, feed }, { claims: others, feed: otherFeed }] = [await harness.join(), await harness.join()];
      const heard: PackingPush[][] = [[], []];
      const ends = [feed, otherFeed].map((each, index) => each.subscribe((push) => heard[index]?.push(push)));
      await claims.claim(order(1), MINA);
      await others.claim(order(1), RUMI);
      await claims.claim(order(1), MINA);
      await claims.release(order(1), MINA.id);
      await claims.release(order(1), MINA.id);
      const expected = [
        { order: order(1), by: MINA, left: CLAIM_MS },
        { order: order(1), by: MINA, left: CLAIM_MS },
        { order: order(1), by: null, left: null },
      ];
      for (const pushes of heard) await expect.poll(() => pushes, PATIENCE).toEqual(expected);
      ends[0]?.();
      await others.claim(order(2), RUMI);
      await expect.poll(() => heard[1], PATIENCE).toHaveLength(4);
      expect(heard[0]).toHaveLength(3);
    });
  });
}
