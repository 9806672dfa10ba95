import { useEffect, useState } from 'react';
import { serverNow } from './server-clock.ts';

/** Whether `time`, in milliseconds since the epoch by the shop's clock, is still to come. */
export function useUntil(time: number): boolean {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (now >= time) return;
    // Again while it is still to come: a clock that was set back, or a timer that is early, ends nothing.
    const timer = setTimeout(() => setNow(serverNow()), Math.max(1, time - serverNow()));
    return () => clearTimeout(timer);
  }, [time, now]);
  return now < time;
}
