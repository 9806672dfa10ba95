import { useMemo, useRef, useState } from 'react';

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the selected ids, in the order of `ids`, and functions that change the selection. An order that leaves the
 * list is deselected, because the admin can no longer see it. If the order comes back, it stays deselected.
 * `selectAsFar` adds a range to the selection: all orders from the last toggled order to the given one. If no order was
 * toggled, or the last toggled order has left the list, the range starts at the first order.
 */
export function useSelection(ids: readonly string[]) {
  const [marked, setMarked] = useState(NONE);
  const from = useRef<string | null>(null);
  const selected = useMemo(
    () => (marked.size === 0 ? NONE : new Set(ids.filter((id) => marked.has(id)))),
    [marked, ids],
  );
  if (selected.size < marked.size) setMarked(selected);

  const toggle = (id: string) => {
    from.current = id;
    setMarked((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  };
  const selectAsFar = (id: string) => {
    const start = Math.max(0, ids.indexOf(from.current ?? ''));
    const end = ids.indexOf(id);
    const range = ids.slice(Math.min(start, end), Math.max(start, end) + 1);
    setMarked((before) => new Set([...before, ...range]));
  };
  const select = () => setMarked(new Set(ids));
  const clear = () => setMarked(NONE);
  return { selected, toggle, selectAsFar, select, clear };
}
