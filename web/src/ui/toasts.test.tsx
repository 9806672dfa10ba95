import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Toasts, toast } from './toasts.tsx';

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

/** Whether a toast with these words is on the screen, even if it is fading out. */
const there = (words: string) => document.body.textContent?.includes(words) ?? false;

describe('Toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
    render(<Toasts />);
  });
  afterEach(() => {
    act(() => toast.remove());
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([
    ['blank', 4000, () => toast('blank words')],
    ['error', 4000, () => toast.error('error words')],
    ['success', 2000, () => toast.success('success words')],
    ['custom', 4000, () => toast.custom('custom words')],
  ])('T1 a toast of type %s is shown for %i ms and removed 1 s later', (type, duration, show) => {
    act(() => void show());
    pass(duration);
    pass(999);
    expect(there(`${type} words`)).toBe(true);
    pass(1);
    expect(there(`${type} words`)).toBe(false);
  });

  it('T1 a loading toast is shown until it is dismissed, and is removed 1,000 ms later', () => {
    let id = '';
    act(() => {
      id = toast.loading('still at it');
    });
    pass(24 * 60 * 60_000);
    expect(there('still at it')).toBe(true);
    act(() => toast.dismiss(id));
    pass(999);
    expect(there('still at it')).toBe(true);
    pass(1);
    expect(there('still at it')).toBe(false);
  });

  it('T1 at most 20 toasts are shown, and the oldest are removed first', () => {
    act(() => {
      for (let number = 1; number <= 23; number += 1) toast.loading(`toast no. ${number}.`);
    });
    const kept = Array.from({ length: 23 }, (_, index) => index + 1).filter((number) => there(`toast no. ${number}.`));
    expect(kept).toHaveLength(20);
    expect(kept[0]).toBe(4);
  });
});
