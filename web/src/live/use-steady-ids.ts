import type { ViewKind } from '@micro-center/services/contracts/views.ts';
import { useEffect, useMemo, useRef } from 'react';
import { changed } from './follow.ts';
import { useHands } from './use-hands.ts';
import { type LoadedList, useLive, useLiveDispatch } from './use-live.ts';
import { hold, letMove } from './views.ts';

interface SteadyIds {
  /** in display order */
  ids: readonly string[];
  /** ids that are still shown although they have left the list */
  left: ReadonlySet<string>;
  /** how many new ids are waiting to be shown */
  waiting: number;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the ids to show while `held` are held in place and `ids` is the newest list. New ids below the last held one
 * are shown too, because nothing has to move for them. `more` is true if the list continues below its loaded rows.
 *
 * For example, if A, B and C are held and the list is now N, A, C and D, then A, B, C and D are shown. B is marked as
 * having left the list, and N isn't shown yet.
 */
function steadyIds(held: readonly string[], ids: readonly string[], more: boolean): SteadyIds {
  if (held === ids) return { ids, left: NONE, waiting: 0 };
  // Skipping the common ends makes a small change in a long list cheap.
  const { top, bottom } = commonEnds(held, ids);
  const before = held.slice(top, held.length - bottom);
  const now = ids.slice(top, ids.length - bottom);
  const [wasThere, isThere] = [new Set(before), new Set(now)];
  const endOf = (rows: readonly string[], others: ReadonlySet<string>) =>
    bottom > 0 ? rows.length : rows.findLastIndex((id) => others.has(id)) + 1;
  const below = endOf(now, wasThere);
  // If no held id is in the list any more, it isn't known which ids are below.
  const shownBelow = below + top === 0 && held.length > 0 ? [] : now.slice(below);
  // A held id below the loaded rows may still be in the list, so it isn't marked as having left.
  const loaded = more ? before.slice(0, endOf(before, isThere)) : before;
  return {
    ids: shownBelow.length === 0 ? held : [...held, ...shownBelow],
    left: new Set(loaded.filter((id) => !isThere.has(id))),
    waiting: now.filter((id) => !wasThere.has(id)).length - shownBelow.length,
  };
}

/**
 * Returns the lengths of the longest common prefix and suffix of two lists. The prefix and the suffix never overlap.
 */
function commonEnds(one: readonly string[], other: readonly string[]): { top: number; bottom: number } {
  const shorter = Math.min(one.length, other.length);
  let [top, bottom] = [0, 0];
  while (top < shorter && one[top] === other[top]) top += 1;
  while (bottom < shorter - top && one[one.length - 1 - bottom] === other[other.length - 1 - bottom]) bottom += 1;
  return { top, bottom };
}

/**
 * Keeps the rows or cards of a list from moving while the user is interacting with them. While the pointer, a finger or
 * the focus is on them, new ids aren't shown yet. Ids that have left the list stay in place, unless this client itself
 * cancelled or deleted the document. Changes within a row or card are shown immediately.
 *
 * Put `handlers` on the element that contains the rows and the button that shows the waiting ones. `name` identifies
 * the list, e.g. by its path. When `name` changes, the new list is shown immediately and then held in place. `kind` is
 * the kind of the listed documents, or null if they aren't live views.
 */
export function useSteadyIds(name: string, kind: ViewKind | null, ids: readonly string[], more = false) {
  const dispatch = useLiveDispatch();
  const held = useLive(({ views }) => views.held[name]?.ids);
  const latest = useRef(ids);
  latest.current = ids;
  const actions = useMemo(
    () => ({
      /** Shows the ids that were waiting, and then holds all ids in place. */
      hold: () => void dispatch(changed('held', (state) => hold(state, name, kind, latest.current))),
      release: () => void dispatch(changed('let move', (state) => letMove(state, name))),
    }),
    [dispatch, kind, name],
  );
  const { laid, handlers } = useHands(actions.hold, actions.release);
  useEffect(() => {
    if (laid.current.size > 0) actions.hold();
    return actions.release;
  }, [actions, laid]);
  const steady = useMemo(() => steadyIds(held ?? ids, ids, more), [held, ids, more]);
  return { ...steady, held, showWaiting: actions.hold, handlers };
}

/** Keeps the rows of a live list from moving while the user is interacting with them. */
export const useSteadyList = ({ path, kind, ids, rest }: LoadedList) => useSteadyIds(path, kind, ids, rest !== null);
