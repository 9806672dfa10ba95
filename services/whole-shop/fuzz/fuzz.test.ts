import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { fuzzAShop } from './fuzz-a-shop.ts';

it('HTTP1 LOG4 ORD2 PAY2 PRJ1 AUTH2 a minute of odd inputs makes no 5xx, grants nothing, and leaves a log that is judged sound', async () => {
  const seed = randomInt(2 ** 31);
  const { report, verdict, exitCode } = await fuzzAShop({ seed, inputs: 1_000_000, forMs: 60_000 });
  const again = `npm run fuzz -- --seed ${seed} --inputs ${Object.values(report.sent).reduce((sum, count) => sum + count, 0)}`;
  expect(report.failures.slice(0, 5), again).toEqual([]);
  expect(verdict.faults.slice(0, 5), again).toEqual([]);
  expect(exitCode, again).toBe(0);
  // What is judged has happened.
  for (const type of ['OrderPlaced', 'OrderCancelled', 'StockReturned', 'PaymentStarted', 'PaymentRecorded']) {
    expect(verdict.types[type], `${again}: ${type}`).toBeGreaterThan(0);
  }
}, 300_000);
