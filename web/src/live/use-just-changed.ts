import { useEffect, useRef, useState } from 'react';
import { HIGHLIGHT_FOR } from './use-changed-rows.ts';

/** Whether a view has become newer within the last second. The version that is shown first counts as no change. */
export function useJustChanged(version: number): boolean {
  const shown = useRef(version);
  const [changed, setChanged] = useState(false);
  useEffect(() => {
    if (shown.current === version) return;
    shown.current = version;
    setChanged(true);
    const timer = setTimeout(() => setChanged(false), HIGHLIGHT_FOR);
    return () => clearTimeout(timer);
  }, [version]);
  return changed;
}
