import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serverNow, setServerClock } from './server-clock.ts';

const NOW = Date.parse('2026-01-01T10:00:00.400Z');
const header = (milliseconds: number) => new Date(milliseconds).toUTCString();

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => {
  setServerClock(header(Date.now()), Date.now() - 400, Date.now() - 400);
  vi.useRealTimers();
});

it.each([30, -15, 24 * 60])(
  'ORD6 serverNow() returns the shop’s time even if the device’s clock is %i minutes fast',
  (minutes) => {
    const shop = NOW - minutes * 60_000;
    setServerClock(header(shop), NOW - 50, NOW);
    expect(Math.abs(serverNow() - shop)).toBeLessThanOrEqual(1_050);
  },
);

it('ORD6 serverNow() returns the device’s time if the device’s clock agrees with the shop’s to the second', () => {
  setServerClock(header(NOW), NOW - 50, NOW);
  expect(serverNow()).toBe(NOW);
});

it('ORD6 a response that takes 10 s does not change serverNow() if the device’s clock is already correct', () => {
  setServerClock(header(NOW - 10_000), NOW - 10_000, NOW);
  expect(serverNow()).toBe(NOW);
  setServerClock(header(NOW), NOW - 10_000, NOW);
  expect(serverNow()).toBe(NOW);
});

it('ORD6 serverNow() stays correct when the device’s clock is reset, and ignores responses without a valid date', () => {
  setServerClock(header(NOW - 3_600_000), NOW - 50, NOW);
  vi.setSystemTime(NOW - 3_600_000);
  setServerClock(header(NOW - 3_600_000), NOW - 3_600_050, NOW - 3_600_000);
  setServerClock(null, 0, 0);
  setServerClock('no date', 0, 0);
  expect(Math.abs(serverNow() - (NOW - 3_600_000))).toBeLessThanOrEqual(1_050);
});
