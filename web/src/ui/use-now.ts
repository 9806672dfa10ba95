import { useEffect, useState } from 'react';
import { serverNow } from './server-clock.ts';

/**
 * The time by the shop's clock, in milliseconds since the epoch. The component is drawn again at the time that `next` returns,
 * unless that has passed.
 */
export function useNow(next: (now: number) => number): number {
  const [now, setNow] = useState(serverNow);
  const until = next(now);
  useEffect(() => {
    if (now >= until) return;
    // Again while it is still to come: a clock that was set back, or a timer that is early, ends nothing.
    const timer = setTimeout(() => setNow(serverNow()), Math.max(1, until - serverNow()));
    return () => clearTimeout(timer);
  }, [until, now]);
  return now;
}

/** Whether `time`, in milliseconds since the epoch by the shop's clock, is still to come. */
export const useUntil = (time: number): boolean => useNow(() => time) < time;
