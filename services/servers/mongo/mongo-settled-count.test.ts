import { expect, it } from 'vitest';
import { createSettledCount } from './mongo-settled-count.ts';

const MINUTE = 60_000;
const at = (ms: number) => new Date(Date.parse('2026-02-03T04:00:00.000Z') + ms).toISOString();

/** Simulates shipped orders, and a clock that the test advances. Each count of the settled orders takes `takes` ms. */
function shippedOrders(shippedAt: string[], takes: number) {
  let clock = 0;
  const asked: { range: string; maxTimeMS: number }[] = [];
  const held: (() => void)[] = [];
  let failing = false;
  let holding = false;
  const shipped = createSettledCount(
    {
      settledAfterMs: 20 * MINUTE,
      newest: async () => shippedAt.toSorted().at(-1) ?? null,
      async count({ before, since }, maxTimeMS) {
        asked.push({ range: before ? 'settled' : since ? 'fresh' : 'all', maxTimeMS });
        if (before && holding) await new Promise<void>((resolve) => held.push(resolve));
        if (before) clock += takes;
        if (before && failing) throw new Error('too slow');
        return shippedAt.filter((time) => (!before || time < before) && (!since || time >= since)).length;
      },
    },
    () => clock,
  );
  return {
    asked,
    shippedAt,
    count: shipped.count,
    forget: shipped.forget,
    pass: (ms: number) => {
      clock += ms;
    },
    fail: (yes: boolean) => {
      failing = yes;
    },
    hold: () => {
      holding = true;
      return () => {
        holding = false;
        for (const release of held.splice(0)) release();
      };
    },
    settledCounts: () => asked.filter(({ range }) => range === 'settled').length,
  };
}

it('BOARD1 at most a twentieth of the time is spent recounting settled orders, and the other shipped orders are counted on each call', async () => {
  const orders = shippedOrders([at(0), at(1), at(30 * MINUTE)], 500);
  for (let second = 0; second < 9; second += 1) {
    expect(await orders.count()).toBe(3 + second);
    orders.shippedAt.push(at(30 * MINUTE + second));
    orders.pass(1_000);
  }
  expect(orders.settledCounts()).toBe(1);
  orders.pass(500);
  await orders.count();
  expect(orders.settledCounts()).toBe(2);
  for (const { maxTimeMS } of orders.asked) expect(maxTimeMS).toBeGreaterThan(0);
});

it('BOARD1 a withdrawn shipment is not included in the next count of shipped orders', async () => {
  const orders = shippedOrders([at(0), at(45 * MINUTE), at(59 * MINUTE), at(60 * MINUTE)], 500);
  expect(await orders.count()).toBe(4);
  orders.shippedAt.splice(1, 1);
  expect(await orders.count()).toBe(3);
});

it('BOARD1 only the first callers wait for settled orders to be counted, and later callers get the last finished count', async () => {
  const orders = shippedOrders([at(0), at(60 * MINUTE)], 500);
  expect(await Promise.all([orders.count(), orders.count()])).toEqual([2, 2]);
  expect(orders.settledCounts()).toBe(1);
  orders.pass(10_000);
  const release = orders.hold();
  orders.shippedAt.push(at(1), at(60 * MINUTE));
  // The late order was projected long after it was shipped, so it appears only in the next count of the settled orders.
  expect([await orders.count(), await orders.count()]).toEqual([3, 3]);
  expect(orders.settledCounts()).toBe(2);
  release();
  await expect.poll(() => orders.count()).toBe(4);
});

it('BOARD1 if counting shipped orders fails, the last result is still used, and the count isn’t retried immediately', async () => {
  const orders = shippedOrders([at(0), at(60 * MINUTE)], 500);
  orders.fail(true);
  await expect(orders.count()).rejects.toThrow('too slow');
  orders.fail(false);
  orders.pass(9_500);
  expect(await orders.count()).toBe(2);
  orders.pass(9_500);
  orders.fail(true);
  expect([await orders.count(), await orders.count()]).toEqual([2, 2]);
  expect(orders.settledCounts()).toBe(3);
});

it('PRJ3 the last count of shipped orders is forgotten when all documents are deleted', async () => {
  const orders = shippedOrders([at(0), at(60 * MINUTE)], 500);
  expect(await orders.count()).toBe(2);
  orders.shippedAt.length = 0;
  orders.forget();
  expect(await orders.count()).toBe(0);
});
