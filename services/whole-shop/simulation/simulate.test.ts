import { describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

/** The seeds to run, which takes about 15 s. The nightly run uses thousands of seeds (run.ts). */
const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);

describe('a whole shop in virtual time', () => {
  let total = 0;

  it.each(SEEDS)(
    'LOG1 ORD1 ORD2 PAY2 PRJ1 ERASE1 LIVE2 LIVE3 LIVE4 seed %i breaks no rule, and all work is finished at the end of the run',
    async (seed) => {
      const { faults, events } = await simulate(seed);
      expect(faults).toEqual([]);
      total += events;
    },
  );

  it('PRJ1 the runs together record thousands of events', () => {
    expect(total).toBeGreaterThan(5_000);
  });

  it('PRJ1 running the same seed twice gives the same run', async () => {
    for (const seed of [2, 9]) {
      const [one, other] = [await simulate(seed), await simulate(seed)];
      expect(other.hash).toBe(one.hash);
      expect(other.lines).toEqual(one.lines);
    }
  });
});
