import { type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type AnyView, ENDED, type LiveList, placeOf } from './apply-push.ts';
import { listChanges } from './list-changes.ts';

/** A pointer at rest for this long is not about to click, in milliseconds. */
const AIMING_FOR = 3000;

export interface SteadyRows<V> {
  /** in the order in which they are shown */
  rows: readonly V[];
  /** ids of rows that left the list while the pointer was over it: shown, but of no more use */
  left: ReadonlySet<string>;
  /** how many rows wait to be shown */
  waiting: number;
}

const NONE: ReadonlySet<string> = new Set();

/** The rows of `list` in the order of `held`, with their newest views, and below them what was loaded since. */
export function steadyRows<V extends AnyView>(list: LiveList<V>, held: LiveList<V> | null): SteadyRows<V> {
  if (held === null || held === list) return { rows: list.items, left: NONE, waiting: 0 };
  const rows = [...held.items];
  const [left, ended] = [new Set<string>(), new Set<string>()];
  let waiting = 0;
  for (const { before, after, index } of listChanges(held, list)) {
    if (before === null) waiting += 1;
    else if (after !== null) rows[index] = after;
    else (list.gone[before._id] === ENDED ? ended : left).add(before._id);
  }
  const standing = ended.size === 0 ? rows : rows.filter((view) => !ended.has(view._id));
  // The row of the end itself is held already, or has left.
  const loaded = held.end === null ? [] : list.items.slice(placeOf(list.items, held.end)).filter(isBelow(held));
  return { rows: loaded.length === 0 ? standing : [...standing, ...loaded], left, waiting };
}

function isBelow<V extends AnyView>({ end }: LiveList<V>): (view: V) => boolean {
  return (view) => view._id !== end?.id;
}

/**
 * Rows that do not move under an aiming mouse: until the pointer leaves or rests, new rows wait, and rows that left stay
 * as dead ones unless this client ended them. Views change in place at once. Put `handlers` on the rows' container.
 */
export function useSteadyRows<V extends AnyView>(list: LiveList<V>) {
  const [held, setHeld] = useState<LiveList<V> | null>(null);
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(list);
  latest.current = list;

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

  const steady = useMemo(() => steadyRows(list, held), [list, held]);
  return { ...steady, release, handlers: { onPointerMove: hold, onPointerLeave: release } };
}
