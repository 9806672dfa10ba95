import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import { interceptAppends, openEmbeddedLog } from '../../engine/commands/embedded-log.fixture.ts';
import type { EventLog } from '../../engine/log/event-log.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import { NUMBERS } from './decide-numbers.ts';
import { createOrderNumbers } from './order-numbers-flow.ts';

let embedded: ReturnType<typeof openEmbeddedLog>;
let now: number;
beforeEach(() => {
  embedded = openEmbeddedLog();
  now = 0;
});
afterEach(() => embedded.close());

const numbersOn = (log: EventLog = embedded.log) =>
  createOrderNumbers({ handler: embedded.handler({ log }), clock: () => now, newId: randomUUID });
const takeMany = (numbers: ReturnType<typeof numbersOn>, count: number) =>
  Promise.all(Array.from({ length: count }, () => numbers.take()));

async function blocks(): Promise<{ first: number; count: number }[]> {
  const events = await embedded.eventsOf(streamName('numbers', NUMBERS));
  return events.map(({ data }) => data as { first: number; count: number });
}

describe('order numbers', () => {
  it('ORD8 the first order number is MC-1001, and each number is handed out only once', async () => {
    const numbers = numbersOn();
    expect(await numbers.take()).toBe('MC-1001');
    expect(await takeMany(numbers, 3)).toEqual(['MC-1002', 'MC-1003', 'MC-1004']);
  });

  it('ORD8 two processes that share one log hand out 2,000 order numbers concurrently without duplicates', async () => {
    const [one, other] = [numbersOn(), numbersOn()];
    const taken = (await Promise.all([takeMany(one, 1000), takeMany(other, 1000)])).flat();
    expect(new Set(taken).size).toBe(2000);
    const reserved = (await blocks()).flatMap(({ first, count }) =>
      Array.from({ length: count }, (_, offset) => `MC-${first + offset}`),
    );
    expect(new Set(reserved).size).toBe(reserved.length);
    expect(taken.filter((number) => !reserved.includes(number))).toEqual([]);
  });

  it('ORD8 the next block of order numbers is reserved once half of the current block is used, so that no order has to wait', async () => {
    let held: Promise<void> | undefined;
    const { log, commits } = interceptAppends(embedded.log, () => held);
    const numbers = numbersOn(log);
    await numbers.take();
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    await takeMany(numbers, 49);
    await expect.poll(() => commits.length).toBe(2);
    release();
    expect(await numbers.take()).toBe('MC-1051');
  });

  it('ORD8 a block of order numbers lasts for two seconds at the current rate, and has at least 50 numbers', async () => {
    const numbers = numbersOn();
    await numbers.take();
    for (let second = 1; second <= 5; second += 1) {
      now = second * 1000;
      for (let taken = 0; taken < 1000; taken += 1) await numbers.take();
    }
    const busy = await blocks();
    expect(busy.at(-1)?.count).toBeGreaterThanOrEqual(1000);
    expect(busy.length).toBeLessThan(20);
    for (let hour = 1; hour <= 3000; hour += 1) {
      now = hour * 3_600_000;
      await numbers.take();
    }
    expect((await blocks()).at(-1)?.count).toBe(50);
  });

  it('ORD8 CMD3 an unused order number that is given back goes to the next order', async () => {
    const numbers = numbersOn();
    const number = await numbers.take();
    numbers.giveBack(number);
    expect(await numbers.take()).toBe(number);
  });

  it('ORD8 CMD7 while the store is down, taking an order number fails only once the reserve is used up, and works again once the store is back', async () => {
    let away = false;
    const { log } = interceptAppends(embedded.log, () => {
      if (away) throw new StoreUnavailable('away');
    });
    const numbers = numbersOn(log);
    await numbers.take();
    away = true;
    await takeMany(numbers, 49);
    await expect(numbers.take()).rejects.toThrow(StoreUnavailable);
    away = false;
    expect(await numbers.take()).toMatch(/^MC-\d+$/);
  });

  it('ORD8 CMD7 if reserving the next block of order numbers fails, orders still get numbers from the current block', async () => {
    let away = false;
    let tries = 0;
    const { log } = interceptAppends(embedded.log, () => {
      if (!away) return;
      tries += 1;
      throw new StoreUnavailable('away');
    });
    const numbers = numbersOn(log);
    await numbers.take();
    away = true;
    await takeMany(numbers, 30);
    await expect.poll(() => tries).toBe(1);
    // Gives an unhandled rejection time to surface. Such a rejection would crash a real process, and it fails the test
    // run here.
    await new Promise(setImmediate);
    expect(await numbers.take()).toBe('MC-1032');
  });
});
