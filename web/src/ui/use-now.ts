import { useEffect, useState } from 'react';
import { serverNow } from './server-clock.ts';

/**
 * Returns the time by the shop's clock, in milliseconds since the epoch. Re-renders the component at the time
 * calculated by `next`, unless that time has passed.
 */
export function useNow(next: (now: number) => number): number {
  const [now, setNow] = useState(serverNow);
  const until = next(now);
  useEffect(() => {
    if (now >= until) return;
    // If the timer fires early or the clock is set back, `until` is still in the future, so the effect sets a new
    // timer.
    const timer = setTimeout(() => setNow(serverNow()), Math.max(1, until - serverNow()));
    return () => clearTimeout(timer);
  }, [until, now]);
  return now;
}

/** Whether `time` is still in the future by the shop's clock. `time` is in milliseconds since the epoch. */
export const useUntil = (time: number): boolean => useNow(() => time) < time;
