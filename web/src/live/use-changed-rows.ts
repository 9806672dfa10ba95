import { useEffect, useRef, useState } from 'react';
import type { AnyView, LiveList } from './apply-push.ts';
import { listChanges } from './list-changes.ts';

/** How long a changed row stays highlighted, in milliseconds. */
export const HIGHLIGHT_FOR = 1000;

/** The ids whose rows entered or changed within the last second. What is loaded counts as no change. */
export function useChangedRows<V extends AnyView>(list: LiveList<V>): ReadonlySet<string> {
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const before = useRef(list);

  useEffect(() => {
    const ids = listChanges(before.current, list).flatMap(({ after }) => (after === null ? [] : [after._id]));
    before.current = list;
    if (ids.length === 0) return;
    setChanged((current) => new Set([...current, ...ids]));
    // Not cleared when the next change comes: each row keeps its own second.
    setTimeout(() => {
      const over = new Set(ids);
      setChanged((current) => new Set([...current].filter((id) => !over.has(id))));
    }, HIGHLIGHT_FOR);
  }, [list]);

  return changed;
}

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
