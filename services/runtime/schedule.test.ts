import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { holdTime } from './held-time.fixture.ts';
import { exponentialBackOff, sleep } from './schedule.ts';

describe('back-off', () => {
  const limits = { first: 200, longest: 30_000 };

  it('a back-off delay doubles with each failure until it reaches its maximum, and stays there however many failures follow', () => {
    const backOff = exponentialBackOff(limits, 0);
    expect([1, 2, 3, 8, 9, 5_000].map(backOff)).toEqual([200, 400, 800, 25_600, 30_000, 30_000]);
  });

  it('random jitter shortens a back-off delay, but never lengthens it', () => {
    const pauses = Array.from({ length: 200 }, () => exponentialBackOff(limits)(20));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(30_000);
    expect(Math.min(...pauses)).toBeGreaterThan(24_000);
    expect(new Set(pauses).size).toBeGreaterThan(100);
  });

  it('a sleep ends when its delay is over or its signal aborts', async () => {
    const time = holdTime();
    const ended = new AbortController();
    let awake = 0;
    for (const delay of [100, 200]) void sleep(time.schedule, delay, ended.signal).then(() => awake++);
    await time.pass(100);
    expect(awake).toBe(1);
    ended.abort();
    await time.settle();
    expect([awake, time.delays()]).toEqual([2, []]);
  });

  it('repeated sleeps leave no listeners on the abort signal', async () => {
    const time = holdTime();
    const ended = new AbortController();
    for (let times = 0; times < 3; times += 1) {
      const slept = sleep(time.schedule, 100, ended.signal);
      await time.pass(100);
      await slept;
    }
    expect(getEventListeners(ended.signal, 'abort')).toEqual([]);
  });
});
