import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshStream } from './sample-events.fixture.ts';
import type { Snapshot, Snapshots } from './snapshots.ts';

/** A snapshot store for one test. */
export interface SnapshotsHarness {
  readonly snapshots: Snapshots;
  /** Stores an unreadable snapshot for a stream. */
  spoil(stream: string): Promise<void>;
  dispose(): Promise<void>;
}

/** Contract tests that every Snapshots adapter must pass. */
export function snapshotsContract(adapter: string, start: () => Promise<SnapshotsHarness>): void {
  describe(`Snapshots: ${adapter}`, () => {
    let harness: SnapshotsHarness;
    let snapshots: Snapshots;
    beforeEach(async () => {
      harness = await start();
      snapshots = harness.snapshots;
    });
    afterEach(() => harness.dispose());

    const snapshotOf = (change: Partial<Snapshot> = {}): Snapshot => ({
      stream: freshStream(),
      fold: 1,
      version: 250,
      event: 'e-250',
      state: { status: 'listed', details: { name: '৳', price: 0.5 }, stock: 7, list: [1, null, 'x'] },
      ...change,
    });

    it('LOG7 find() returns a snapshot exactly as it was saved', async () => {
      const [one, other] = [snapshotOf(), snapshotOf({ state: null })];
      await snapshots.keep(one);
      await snapshots.keep(other);
      expect(await snapshots.find(one.stream)).toEqual(one);
      expect(await snapshots.find(other.stream)).toEqual(other);
      expect(await snapshots.find(freshStream())).toBeNull();
    });

    it('LOG7 a saved snapshot replaces the previous one of its stream', async () => {
      const one = snapshotOf();
      await snapshots.keep(one);
      await snapshots.keep({ ...one, fold: 2, version: 500, event: 'e-500' });
      expect(await snapshots.find(one.stream)).toEqual({ ...one, fold: 2, version: 500, event: 'e-500' });
    });

    it('LOG7 if several snapshots of a stream are saved simultaneously, exactly one of them is stored', async () => {
      const one = snapshotOf();
      const kept = Array.from({ length: 10 }, (_, index) => ({ ...one, version: index + 1 }));
      await Promise.all(kept.map(snapshots.keep));
      expect(kept).toContainEqual(await snapshots.find(one.stream));
    });

    it('LOG7 a snapshot that cannot be read counts as missing and can be replaced', async () => {
      const one = snapshotOf();
      await harness.spoil(one.stream);
      expect(await snapshots.find(one.stream)).toBeNull();
      await snapshots.keep(one);
      expect(await snapshots.find(one.stream)).toEqual(one);
    });

    it('LOG7 clear() deletes every snapshot', async () => {
      const one = snapshotOf();
      await snapshots.keep(one);
      await snapshots.clear();
      expect(await snapshots.find(one.stream)).toBeNull();
    });
  });
}
