import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { commonEnds } from '../ui/common-ends.ts';
import { changed, type LiveRoot } from './follow.ts';
import { isBelow, keyOf, placeOf } from './list-order.ts';
import { useHands } from './use-hands.ts';
import { type LoadedList, useLiveDispatch } from './use-live.ts';
import { type ViewMap, viewOf } from './view-map.ts';
import { ENDED, stand, type ViewsState } from './views.ts';

interface SteadyRows {
  /** in the order in which they are shown */
  ids: readonly string[];
  /** ids of rows that stand there although they have left the list */
  left: ReadonlySet<string>;
  /** how many rows wait to be shown */
  waiting: number;
}

/** A list and its views as they were when somebody laid a hand on it. */
interface Held {
  list: LoadedList;
  views: ViewMap;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The rows of `list` in the order of `held`. Below them, where they move nothing, stand those that came or were loaded since.
 *
 * A, B and C were held. The list is N, A, C and D by now: A, B, C and D are shown, B has left, and N waits.
 */
function steadyRows(list: LoadedList, held: Held | null, { known }: ViewsState): SteadyRows {
  if (held === null || held.list.ids === list.ids) return { ids: list.ids, left: NONE, waiting: 0 };
  const { views, tombstones } = known[list.kind];
  const below = rowsBelow(held, list, views);
  const { entered, missing } = difference(held.list.ids, list.ids.slice(0, list.ids.length - below.length));
  // A row below the end of the list is no longer loaded, so nobody knows whether it has left.
  const isUnloaded = (id: string) => {
    const view = viewOf(held.views, id);
    return view !== undefined && isBelow(view, list.end, list.sort);
  };
  const gone = missing.filter((id) => !isUnloaded(id));
  const ended = new Set(gone.filter((id) => tombstones.get(id)?.version === ENDED));
  const standing = ended.size === 0 ? held.list.ids : held.list.ids.filter((id) => !ended.has(id));
  return {
    ids: below.length === 0 ? standing : [...standing, ...below],
    left: new Set(gone.filter((id) => !ended.has(id))),
    waiting: entered.length,
  };
}

/** The rows of `list` below the last of the held ones. */
function rowsBelow(held: Held, list: LoadedList, views: ViewMap): readonly string[] {
  const end = held.list.end ?? lastKey(held);
  if (end === null) return held.list.ids.length === 0 ? list.ids : [];
  const place = placeOf(list.ids, end, list.sort, (id) => viewOf(views, id));
  return list.ids.slice(list.ids[place] === end.id ? place + 1 : place);
}

/** The ids of `after` that `before` lacks, and the other way round. What they begin and end with alike costs nothing. */
function difference(before: readonly string[], after: readonly string[]) {
  const { top, bottom } = commonEnds(before, after);
  const was = new Set(before.slice(top, before.length - bottom));
  const is = new Set(after.slice(top, after.length - bottom));
  return { entered: [...is].filter((id) => !was.has(id)), missing: [...was].filter((id) => !is.has(id)) };
}

function lastKey({ list, views }: Held) {
  const last = viewOf(views, list.ids.at(-1) ?? '');
  return last === undefined ? null : keyOf(last);
}

/**
 * Rows that do not move under a hand: while a pointer, a finger or the focus is among them, however long, new rows wait, and
 * rows that left stand where they were unless this client ended them. Views change in place at once. Put `handlers` on what
 * contains the rows and the offer to show what waits.
 */
export function useSteadyRows(list: LoadedList) {
  const store = useStore<LiveRoot>();
  const dispatch = useLiveDispatch();
  const [held, setHeld] = useState<Held | null>(null);
  const latest = useRef(list);
  latest.current = list;
  const { path } = list;

  const { handlers } = useHands(
    () => {
      const { current } = latest;
      setHeld({ list: current, views: store.getState().views.known[current.kind].views });
      dispatch(changed('held', (state) => stand(state, path, new Set(current.ids))));
    },
    () => {
      setHeld(null);
      dispatch(changed('let move', (state) => stand(state, path, null)));
    },
  );
  useEffect(() => () => void dispatch(changed('let move', (state) => stand(state, path, null))), [dispatch, path]);

  /** Shows what waits; the hands that are there hold what is shown then. */
  const showWaiting = useCallback(() => {
    const { current } = latest;
    setHeld({ list: current, views: store.getState().views.known[current.kind].views });
    dispatch(changed('held', (state) => stand(stand(state, path, null), path, new Set(current.ids))));
  }, [dispatch, store, path]);

  const steady = useMemo(() => steadyRows(list, held, store.getState().views), [list, held, store]);
  return { ...steady, showWaiting, handlers };
}
