import { useEffect, useState } from 'react';

/** Whether `time`, in milliseconds since the epoch, is still to come. */
export function useUntil(time: number): boolean {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (now >= time) return;
    // Again while it is still to come: a clock that was set back, or a timer that is early, ends nothing.
    const timer = setTimeout(() => setNow(Date.now()), Math.max(1, time - Date.now()));
    return () => clearTimeout(timer);
  }, [time, now]);
  return now < time;
}
