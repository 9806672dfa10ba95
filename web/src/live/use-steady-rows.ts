import { useEffect, useMemo } from 'react';
import { useStore } from 'react-redux';
import { commonEnds } from '../ui/common-ends.ts';
import { changed, type LiveRoot } from './follow.ts';
import { isBelow, keyOf, placeOf } from './list-order.ts';
import { useHands } from './use-hands.ts';
import { type LoadedList, useLiveDispatch } from './use-live.ts';
import { type ViewMap, viewOf } from './view-map.ts';
import { type HeldRows, hold, letMove } from './views.ts';

interface SteadyRows {
  /** in the order in which they are shown */
  ids: readonly string[];
  /** ids of rows that stand there although they have left the list */
  left: ReadonlySet<string>;
  /** how many rows wait to be shown */
  waiting: number;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The rows to show while a hand holds rows of `list`: the held rows as they stood, and below them, where they move nothing, the rows
 * that came or were loaded since.
 *
 * A, B and C were held. The list is N, A, C and D by now: A, B, C and D are shown, B has left, and N waits.
 */
function steadyRows(list: LoadedList, views: ViewMap): SteadyRows {
  const { held } = list;
  if (held === null || held.ids === list.ids) return { ids: list.ids, left: NONE, waiting: 0 };
  const below = rowsBelow(held, list, views);
  const { entered, missing } = difference(held.ids, list.ids.slice(0, list.ids.length - below.length));
  // A row below the end of the list is no longer loaded, so nobody knows whether it has left.
  const isUnloaded = (id: string) => {
    const view = viewOf(held.views, id);
    return view !== undefined && isBelow(view, list.end, list.sort);
  };
  return {
    ids: below.length === 0 ? held.ids : [...held.ids, ...below],
    left: new Set(missing.filter((id) => !isUnloaded(id))),
    waiting: entered.length,
  };
}

/** The rows of `list` below the last of the held ones. */
function rowsBelow(held: HeldRows, list: LoadedList, views: ViewMap): readonly string[] {
  const last = viewOf(held.views, held.ids.at(-1) ?? '');
  const end = held.end ?? (last ? keyOf(last) : null);
  if (end === null) return list.ids;
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

/**
 * Rows that do not move under a hand: while a pointer, a finger or the focus is among them, however long, new rows wait, and
 * rows that left stand where they were unless this client ended them. Views change in place at once. Put `handlers` on what
 * contains the rows and the offer to show what waits. Give the component another key for another list: a hand that holds the rows
 * of this one would not be laid on the next.
 */
export function useSteadyRows(list: LoadedList) {
  const store = useStore<LiveRoot>();
  const dispatch = useLiveDispatch();
  const { path } = list;
  const actions = useMemo(
    () => ({
      /** Holds the rows as they are now, so this also shows those that waited. */
      hold: () => void dispatch(changed('held', (state) => hold(state, path))),
      release: () => void dispatch(changed('let move', (state) => letMove(state, path))),
    }),
    [dispatch, path],
  );
  const { handlers } = useHands(actions.hold, actions.release);
  useEffect(() => actions.release, [actions]);

  const steady = useMemo(() => steadyRows(list, store.getState().views.known[list.kind].views), [list, store]);
  return { ...steady, showWaiting: actions.hold, handlers };
}
