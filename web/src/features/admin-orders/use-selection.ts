import { useEffect, useMemo } from 'react';
import { usePageState } from '../../session/use-page-state.ts';

interface Selection {
  /** the path of the list from which the orders were selected */
  list: string;
  ids: readonly string[];
  /** the order that was toggled last, or null if there is none */
  from: string | null;
}

const NONE: Selection = { list: '', ids: [], from: null };

/**
 * Returns the selected ids, in the order of `ids`, and functions that change the selection. The selection belongs to one
 * list, and lasts until orders of another list are selected. An order that leaves the list is deselected, because the
 * admin can no longer see it. If the order comes back, it stays deselected.
 * `selectAsFar` adds a range to the selection: all orders from the last toggled order to the given one. If no order was
 * toggled, or the last toggled order has left the list, the range starts at the first order.
 */
export function useSelection(list: string, ids: readonly string[]) {
  const [kept, keep] = usePageState('selection', NONE);
  const { ids: marked, from } = kept.list === list ? kept : NONE;
  const selected = useMemo(() => {
    const all = new Set(marked);
    return new Set(all.size === 0 ? [] : ids.filter((id) => all.has(id)));
  }, [marked, ids]);
  useEffect(() => {
    if (selected.size < marked.length) keep({ list, ids: [...selected], from });
  }, [selected, marked, keep, list, from]);

  const toggle = (id: string) => {
    const others = new Set(selected);
    keep({ list, ids: others.delete(id) ? [...others] : [...selected, id], from: id });
  };
  const selectAsFar = (id: string) => {
    const start = Math.max(0, ids.indexOf(from ?? ''));
    const end = ids.indexOf(id);
    const range = ids.slice(Math.min(start, end), Math.max(start, end) + 1);
    keep({ list, ids: [...new Set([...selected, ...range])], from });
  };
  const select = () => keep({ list, ids, from });
  const clear = () => keep({ list, ids: [], from });
  return { selected, toggle, selectAsFar, select, clear };
}
