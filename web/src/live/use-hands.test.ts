import { renderHook } from '@testing-library/react';
import type { PointerEvent } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useHands } from './use-hands.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const finger = { pointerType: 'touch' } as PointerEvent;

function touch() {
  const lifts = vi.fn();
  const { result, unmount } = renderHook(() => useHands(() => {}, lifts));
  return { lifts, unmount, ...result.current.handlers };
}

it('LIST1 a finger that touches the rows again within half a second of being lifted counts as lifted only after the second lift', () => {
  const { lifts, onPointerDown, onPointerUp } = touch();
  onPointerDown(finger);
  onPointerUp(finger);
  vi.advanceTimersByTime(300);
  onPointerDown(finger);
  vi.advanceTimersByTime(5_000);
  expect(lifts).not.toHaveBeenCalled();
  onPointerUp(finger);
  vi.advanceTimersByTime(500);
  expect(lifts).toHaveBeenCalledOnce();
});

it('LIST1 a finger is reported as lifted only once, half a second after it last left the screen', () => {
  const { lifts, onPointerDown, onPointerUp, onPointerCancel } = touch();
  onPointerDown(finger);
  onPointerUp(finger);
  vi.advanceTimersByTime(300);
  onPointerCancel(finger);
  vi.advanceTimersByTime(300);
  expect(lifts).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(lifts).toHaveBeenCalledOnce();
});

it('LIST1 a lifted finger is not reported if the rows unmount within half a second', () => {
  const { lifts, unmount, onPointerDown, onPointerUp } = touch();
  onPointerDown(finger);
  onPointerUp(finger);
  unmount();
  vi.advanceTimersByTime(1_000);
  expect(lifts).not.toHaveBeenCalled();
});
