import { type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { commonEnds } from '../ui/common-ends.ts';
import type { LiveRoot } from './follow.ts';
import { isBelow, placeOf } from './list-order.ts';
import type { LoadedList } from './use-live.ts';
import { type ViewMap, viewOf } from './view-map.ts';
import { ENDED, type ViewsState } from './views.ts';

/** A pointer at rest for this long is not about to click, in milliseconds. */
const AIMING_FOR = 3000;

interface SteadyRows {
  /** in the order in which they are shown */
  ids: readonly string[];
  /** ids of rows that left the list while the pointer was over it: shown, but of no more use */
  left: ReadonlySet<string>;
  /** how many rows wait to be shown */
  waiting: number;
}

/** A list and its views as they were when the pointer came. */
interface Held {
  list: LoadedList;
  views: ViewMap;
}

const NONE: ReadonlySet<string> = new Set();

/** The rows of `list` in the order of `held`, and below them what was loaded since. */
function steadyRows(list: LoadedList, held: Held | null, { known }: ViewsState): SteadyRows {
  if (held === null || held.list.ids === list.ids) return { ids: list.ids, left: NONE, waiting: 0 };
  const { end, ids: before } = held.list;
  const { views, left: gone } = known[list.kind];
  const place = end === null ? list.ids.length : placeOf(list.ids, end, list.sort, (id) => viewOf(views, id));
  // The row of the end itself is held already, or has left.
  const loaded = list.ids.slice(place + (list.ids[place] === end?.id ? 1 : 0));
  const within = loaded.length === 0 ? list.ids : list.ids.slice(0, -loaded.length);
  const { top, bottom } = commonEnds(before, within);
  const was = new Set(before.slice(top, before.length - bottom));
  const is = new Set(within.slice(top, within.length - bottom));
  const letGo = (id: string) => {
    const view = viewOf(held.views, id);
    return view !== undefined && isBelow(view, list.end, list.sort);
  };
  const missing = [...was].filter((id) => !is.has(id) && !letGo(id));
  const ended = new Set(missing.filter((id) => gone.get(id)?.version === ENDED));
  const standing = ended.size === 0 ? before : before.filter((id) => !ended.has(id));
  return {
    ids: loaded.length === 0 ? standing : [...standing, ...loaded],
    left: new Set(missing.filter((id) => !ended.has(id))),
    waiting: [...is].filter((id) => !was.has(id)).length,
  };
}

/**
 * Rows that do not move under an aiming mouse: until the pointer leaves or rests, new rows wait, and rows that left stay
 * as dead ones unless this client ended them. Views change in place at once. Put `handlers` on the rows' container.
 */
export function useSteadyRows(list: LoadedList) {
  const store = useStore<LiveRoot>();
  const [held, setHeld] = useState<Held | null>(null);
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
      const { current } = latest;
      setHeld((now) => now ?? { list: current, views: store.getState().views.known[current.kind].views });
    },
    [release, store],
  );
  useEffect(() => () => clearTimeout(resting.current), []);

  const steady = useMemo(() => steadyRows(list, held, store.getState().views), [list, held, store]);
  return { ...steady, release, handlers: { onPointerMove: hold, onPointerLeave: release } };
}
