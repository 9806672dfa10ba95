import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Age } from './age.tsx';

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: 30_000_000 * MINUTE }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});
const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));

it('A1 a displayed age updates by itself, even if it is mounted again later, and leaves no timer running once unmounted', () => {
  for (let page = 0; page < 2; page += 1) {
    const since = new Date(Date.now()).toISOString();
    const { unmount } = render(<Age since={since} />);
    const other = render(<Age since={since} />);
    other.unmount();
    for (let minute = 0; minute < 2; minute += 1) pass(MINUTE);
    screen.getByText('2 min');
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  }
});
