import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';

/** A pointer that rested this long is not about to click, in milliseconds. */
const AIMING_FOR = 3000;

export interface SteadyRow<V> {
  view: V;
  /** it left the list while the pointer was over it: shown, but of no more use */
  left: boolean;
}

/** The rows in the order of `held`, with their newest views; the second number counts what waits to be shown. */
export function steadyRows<V extends { _id: string }>(
  items: readonly V[],
  held: readonly V[] | null,
  endedHere: (id: string) => boolean,
): { rows: SteadyRow<V>[]; waiting: number } {
  if (held === null) return { rows: items.map((view) => ({ view, left: false })), waiting: 0 };
  const newest = new Map(items.map((view) => [view._id, view]));
  const rows = held
    .filter((view) => newest.has(view._id) || !endedHere(view._id))
    .map((view) => ({ view: newest.get(view._id) ?? view, left: !newest.has(view._id) }));
  const shown = new Set(held.map((view) => view._id));
  return { rows, waiting: items.filter((view) => !shown.has(view._id)).length };
}

/**
 * Rows that do not move while a mouse is aiming at them: what enters waits, what leaves stays as a dead row, until the
 * pointer goes away or rests. Views change in place at once. Put `handlers` on the element around the rows.
 */
export function useSteadyRows<V extends { _id: string }>(items: readonly V[], endedHere: (id: string) => boolean) {
  const [held, setHeld] = useState<readonly V[] | null>(null);
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(items);
  latest.current = items;

  const release = useCallback(() => {
    clearTimeout(resting.current);
    setHeld(null);
  }, []);
  const hold = useCallback(
    (event: PointerEvent) => {
      if (event.pointerType !== 'mouse') return;
      clearTimeout(resting.current);
      resting.current = setTimeout(release, AIMING_FOR);
      setHeld((current) => current ?? latest.current);
    },
    [release],
  );
  useEffect(() => () => clearTimeout(resting.current), []);

  return {
    ...steadyRows(items, held, endedHere),
    release,
    handlers: { onPointerMove: hold, onPointerLeave: release },
  };
}
