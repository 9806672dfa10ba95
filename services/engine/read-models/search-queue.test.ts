import { expect, it } from 'vitest';
import { TooManySearches } from './read-models.ts';
import { createSearchQueue } from './search-queue.ts';

it('FIND1 the search queue runs a limited number of searches at once, lets a limited number wait in order, and rejects any more immediately', async () => {
  const queue = createSearchQueue({ atOnce: 2, waiting: 3 });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const search = (number: number) =>
    queue.run(() => {
      begun.push(number);
      return new Promise<number>((resolve) => ends.push(() => resolve(number)));
    });
  const asked = [0, 1, 2, 3, 4].map(search);
  await expect(search(5)).rejects.toThrow(TooManySearches);
  expect(begun).toEqual([0, 1]);
  for (const [index, one] of asked.entries()) {
    ends[index]?.();
    expect(await one).toBe(index);
    expect(begun).toHaveLength(Math.min(5, index + 3));
  }
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  const later = search(6);
  await new Promise(setImmediate);
  ends.at(-1)?.();
  expect(await later).toBe(6);
});

it('FIND1 a failed search frees its slot for the next search', async () => {
  const queue = createSearchQueue({ atOnce: 1, waiting: 1 });
  const failing = queue.run(async () => {
    throw new Error('too slow');
  });
  const next = queue.run(async () => 'found');
  await expect(failing).rejects.toThrow('too slow');
  expect(await next).toBe('found');
});

it('FIND1 the limit on concurrent searches holds even if a new search arrives just as another ends', async () => {
  const queue = createSearchQueue({ atOnce: 2, waiting: 3 });
  let [running, most, done] = [0, 0, 0];
  const search = () =>
    queue.run(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      done += 1;
    });
  // Each visitor starts a new search as soon as their last one ends, so searches always arrive just as others end.
  const visitor = async () => {
    for (let asked = 0; asked < 20; asked += 1) await search();
  };
  await Promise.all(Array.from({ length: 5 }, visitor));
  expect({ most, done }).toEqual({ most: 2, done: 100 });
  const last = [search(), search(), search()];
  await Promise.all(last);
  expect(most).toBe(2);
});
