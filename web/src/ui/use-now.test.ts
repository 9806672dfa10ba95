import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useUntil } from './use-now.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([0, 1, 5_000])(
  'W10 PACK1 a packing marker still expires if the device’s clock is set back by %i ms',
  (back) => {
    const { result } = renderHook((until) => useUntil(until), { initialProps: Date.now() + 1_000 });
    expect(result.current).toBe(true);
    vi.setSystemTime(Date.now() - back);
    act(() => void vi.advanceTimersByTime(1_000 + back));
    act(() => void vi.advanceTimersByTime(back + 1));
    expect(result.current).toBe(false);
  },
);

it('W10 PACK1 an expired packing marker is valid again once it is renewed', () => {
  const { result, rerender } = renderHook((until) => useUntil(until), { initialProps: Date.now() - 1 });
  expect(result.current).toBe(false);
  rerender(Date.now() + 1_000);
  expect(result.current).toBe(true);
  act(() => void vi.advanceTimersByTime(1_001));
  expect(result.current).toBe(false);
});

it('W10 PACK1 no old timer is left running when a packing marker is renewed or unmounted', () => {
  const { rerender, unmount } = renderHook((until) => useUntil(until), { initialProps: Date.now() + 1_000 });
  rerender(Date.now() + 2_000);
  expect(vi.getTimerCount()).toBe(1);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
