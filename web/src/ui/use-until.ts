import { useEffect, useState } from 'react';

/** Whether `time`, in milliseconds since the epoch, is still to come. */
export function useUntil(time: number): boolean {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, time - Date.now()));
    return () => clearTimeout(timer);
  }, [time]);
  return now < time;
}
