import { useCallback, useRef, useState } from 'react';

const NONE: ReadonlySet<string> = new Set();

/** Which orders are selected. A range goes from the order that was selected last to the one that is named. */
export function useSelection() {
  const [selected, setSelected] = useState(NONE);
  const from = useRef<string | null>(null);

  const toggle = useCallback((id: string) => {
    from.current = id;
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  const selectAsFar = useCallback((id: string, ids: readonly string[]) => {
    const start = Math.max(0, ids.indexOf(from.current ?? ''));
    const end = ids.indexOf(id);
    if (end === -1) return;
    const range = ids.slice(Math.min(start, end), Math.max(start, end) + 1);
    setSelected((before) => new Set([...before, ...range]));
  }, []);
  const select = useCallback((ids: readonly string[]) => setSelected(new Set(ids)), []);
  const clear = useCallback(() => setSelected(NONE), []);
  return { selected, toggle, selectAsFar, select, clear };
}
