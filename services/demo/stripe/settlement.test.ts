import { expect, it } from 'vitest';
import { chargeFee, settle } from './settlement.ts';

const DAY_S = 86_400;
const FIRST = 21_915 * DAY_S;

it('the exchange rate stays the same during a day, changes from day to day and stays within 1 % of its middle', () => {
  const rates = Array.from(
    { length: 1_000 },
    (_, day) => settle(100, 'bdt', 'usd', FIRST + day * DAY_S).exchangeRate ?? 0,
  );
  expect(settle(100, 'bdt', 'usd', FIRST + DAY_S - 1).exchangeRate).toBe(rates[0]);
  expect(rates.some((rate, day) => rate === rates[day + 1])).toBe(false);
  expect(Math.min(...rates)).toBeCloseTo(0.0082 * 0.99, 7);
  expect(Math.max(...rates)).toBeCloseTo(0.0082 * 1.01, 7);
});

it('settled amounts and fees are whole cents, and half a cent is rounded up', () => {
  for (const amount of [1, 60, 6_000, 33_333, 99_999_999]) {
    const { amount: cents, exchangeRate } = settle(amount, 'bdt', 'usd', FIRST);
    expect(Number.isInteger(cents)).toBe(true);
    expect(Math.abs(cents - amount * (exchangeRate ?? 0))).toBeLessThanOrEqual(0.5);
  }
  expect([chargeFee(0), chargeFee(500), chargeFee(499), chargeFee(1_000)]).toEqual([30, 45, 44, 59]);
});
