import type { AnyView } from './view-map.ts';

export type Sort = 'newest' | 'oldest';

/**
 * The key by which lists sort a view: the time of the view's first event and, as a tiebreaker, the view's id. The key
 * never changes (LIST1).
 */
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

/** Returns -1 if `a` comes before `b`, 1 if `a` comes after `b`, and 0 if the keys are equal. */
export function compareKeys(a: ListKey, b: ListKey, sort: Sort): number {
  if (a.time === b.time && a.id === b.id) return 0;
  const newer = a.time === b.time ? a.id > b.id : a.time > b.time;
  return newer === (sort === 'newest') ? -1 : 1;
}

/** The loaded rows of a list. If there are more rows, `rest.after` is the key of the last loaded one. */
interface Loaded {
  sort: Sort;
  rest: { after: ListKey } | null;
}

/** Whether a view sorts below the loaded rows of a list. */
export const isBelow = (view: AnyView, { sort, rest }: Loaded): boolean =>
  rest !== null && compareKeys(keyOf(view), rest.after, sort) > 0;

/** Returns the index of the row with `key` or, if there is no such row, the index at which to insert it. */
export function placeOf(
  ids: readonly string[],
  key: ListKey,
  sort: Sort,
  get: (id: string) => AnyView | undefined,
): number {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const other = get(ids[middle] ?? '');
    if (other !== undefined && compareKeys(keyOf(other), key, sort) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
