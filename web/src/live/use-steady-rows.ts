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
  /** in display order */
  ids: readonly string[];
  /** ids of rows that are still shown although they have left the list */
  left: ReadonlySet<string>;
  /** how many new rows are waiting to be shown */
  waiting: number;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the rows to show while rows of `list` are held in place. Rows below the last held row are shown too, because
 * no held row has to move for them.
 *
 * For example, if A, B and C are held and the list is now N, A, C and D, then A, B, C and D are shown. B is marked as
 * having left the list, and N isn't shown yet.
 */
function steadyRows(list: LoadedList, views: ViewMap): SteadyRows {
  const { held } = list;
  if (held === null || held.ids === list.ids) return { ids: list.ids, left: NONE, waiting: 0 };
  const below = rowsBelow(held, list, views);
  const { entered, missing } = difference(held.ids, list.ids.slice(0, list.ids.length - below.length));
  // A held row that is now below the loaded rows may still be in the list, so it isn't marked as having left.
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

/** Returns the ids of the rows in `list` that come below the last held row. */
function rowsBelow(held: HeldRows, list: LoadedList, views: ViewMap): readonly string[] {
  const last = viewOf(held.views, held.ids.at(-1) ?? '');
  const end = held.end ?? (last ? keyOf(last) : null);
  if (end === null) return list.ids;
  const place = placeOf(list.ids, end, list.sort, (id) => viewOf(views, id));
  return list.ids.slice(list.ids[place] === end.id ? place + 1 : place);
}

/**
 * Returns the ids that are only in `after` (`entered`) and the ids that are only in `before` (`missing`). Skips the
 * common prefix and suffix of the two lists, so that a small change in a long list is cheap.
 */
function difference(before: readonly string[], after: readonly string[]) {
  const { top, bottom } = commonEnds(before, after);
  const was = new Set(before.slice(top, before.length - bottom));
  const is = new Set(after.slice(top, after.length - bottom));
  return { entered: [...is].filter((id) => !was.has(id)), missing: [...was].filter((id) => !is.has(id)) };
}

/**
 * Keeps rows from moving while the user is interacting with them. While the pointer, a finger or the focus is on the
 * rows, new rows aren't shown yet. Rows that have left the list stay in place, unless this client itself cancelled or
 * deleted them. Changes within a row are shown immediately. Put `handlers` on the element that contains both the rows
 * and the button that shows the waiting rows. Give the component a different key for each list. Otherwise, if the list
 * changes while the pointer is on the rows, the new list's rows aren't held in place.
 */
export function useSteadyRows(list: LoadedList) {
  const store = useStore<LiveRoot>();
  const dispatch = useLiveDispatch();
  const { path } = list;
  const actions = useMemo(
    () => ({
      /** Shows the rows that were waiting, and then holds all rows in place. */
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
