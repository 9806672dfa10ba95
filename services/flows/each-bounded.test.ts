import { expect, it } from 'vitest';
import { eachBounded } from './each-bounded.ts';

it('CMD5 works on every item, in their order, and never on more than so many at once', async () => {
  const begun: number[] = [];
  let [now, most] = [0, 0];
  await eachBounded([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    begun.push(item);
    now += 1;
    most = Math.max(most, now);
    await new Promise(setImmediate);
    now -= 1;
  });
  expect({ begun, most }).toEqual({ begun: [1, 2, 3, 4, 5, 6, 7], most: 3 });
});

it('CMD5 a failure ends the whole', async () => {
  const failing = eachBounded([1, 2], 2, async () => {
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
});
