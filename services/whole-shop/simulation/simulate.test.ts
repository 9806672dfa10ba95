import { describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

/** The seeds to run, which takes about 15 s. The nightly run uses thousands of seeds (run.ts). */
const SEEDS = Array.from({ length: 6 }, (_, index) => index + 1);
/** A run takes 2 s, or a multiple of that if other tests keep the machine busy. */
const LONGEST_MS = 120_000;

describe('a whole shop in virtual time', () => {
  let total = 0;

  it.each(SEEDS)(
    'LOG1 ORD1 ORD2 PAY2 PRJ1 ERASE1 LIVE2 LIVE3 LIVE4 seed %i breaks no rule, and all work is finished at the end of the run',
    async (seed) => {
      const { faults, events } = await simulate(seed);
      expect(faults).toEqual([]);
      total += events;
    },
    LONGEST_MS,
  );

  it('PRJ1 the runs together record thousands of events', () => {
    expect(total).toBeGreaterThan(3_000);
  });

  it(
    'PRJ1 running the same seed twice gives the same run',
    async () => {
      const [one, other] = [await simulate(2), await simulate(2)];
      expect(other.hash).toBe(one.hash);
      expect(other.lines).toEqual(one.lines);
    },
    LONGEST_MS,
  );
});
