import type { AnyView } from './view-map.ts';

/** Where a view stands in its lists: time of its first event, then id. Neither ever changes (LIST1). */
export interface ListKey {
  time: string;
  id: string;
}

export function keyOf(view: AnyView): ListKey {
  if ('placedAt' in view) return { time: view.placedAt, id: view._id };
  if ('addedAt' in view) return { time: view.addedAt, id: view._id };
  if ('registeredAt' in view) return { time: view.registeredAt, id: view._id };
  return { time: view.postedAt, id: view._id };
}

/** Negative when `a` comes first, that is, when `a` is newer. */
export function compareNewestFirst(a: ListKey, b: ListKey): number {
  if (a.time !== b.time) return a.time > b.time ? -1 : 1;
  if (a.id !== b.id) return a.id > b.id ? -1 : 1;
  return 0;
}

/** Whether a view lies below the loaded window whose oldest key is `end`; null where everything is loaded. */
export const isBelow = (view: AnyView, end: ListKey | null): boolean =>
  end !== null && compareNewestFirst(keyOf(view), end) > 0;

/** The index of the first row that does not come before `key`: the row of that key, or where it would stand. */
export function placeOf(ids: readonly string[], key: ListKey, get: (id: string) => AnyView | undefined): number {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const other = get(ids[middle] ?? '');
    if (other !== undefined && compareNewestFirst(keyOf(other), key) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
