import { describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

/** The seeds to run. The nightly run uses thousands of seeds (run.ts). */
const SEEDS = [1, 3];
/** A run takes 2 s, or a multiple of that if other tests keep the machine busy. */
const LONGEST_MS = 120_000;

describe('a whole shop in virtual time', () => {
  const runs: Awaited<ReturnType<typeof simulate>>[] = [];

  it.each(SEEDS)(
    'LOG1 ORD1 ORD2 PAY2 PRJ1 ERASE1 LIVE2 LIVE3 LIVE4 seed %i breaks no rule, and all work is finished at the end of the run',
    async (seed) => {
      const run = await simulate(seed);
      runs.push(run);
      expect(run.faults).toEqual([]);
    },
    LONGEST_MS,
  );

  it('PRJ1 the runs together record thousands of events', () => {
    expect(runs.reduce((sum, { events }) => sum + events, 0)).toBeGreaterThan(1_500);
  });

  it(
    'PRJ1 running the same seed twice gives the same run',
    async () => {
      const again = await simulate(SEEDS[0] ?? 1);
      expect(again.hash).toBe(runs[0]?.hash);
      expect(again.lines).toEqual(runs[0]?.lines);
    },
    LONGEST_MS,
  );
});
