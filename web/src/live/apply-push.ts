import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';

/** Where a view stands in its list: time of its first event, then id. Neither ever changes (LIST1). */
export interface ListKey {
  time: string;
  id: string;
}

export type AnyView = Views[ViewKind];

/** A page that was asked for and has not been answered. */
export interface AskedPage<V extends AnyView> {
  /** names this one request: an answer to another is dropped */
  request: string;
  /** what was pushed of the page meanwhile, and may be newer than its answer */
  overtaking: V[];
}

/** A cached list, newest first, and what is needed to keep it right while pushes come in any order. */
export interface LiveList<V extends AnyView = AnyView> {
  items: V[];
  /** path of the page after the loaded ones; null when everything is loaded */
  next: string | null;
  /** key of the oldest loaded row; null when everything is loaded */
  end: ListKey | null;
  /** the next page while it is on its way */
  asked: AskedPage<V> | null;
  /** why the next page did not come; null otherwise */
  pageError: unknown;
  /** how many rows from the top a refetch has to bring; null: all that are loaded */
  depth: number | null;
  /** ids that left, each with the version at which it did: a late push does not bring them back */
  gone: Record<string, number>;
}

/** A push, reduced to what merging needs. `view: null` says that it left the lists. */
export interface VersionedPush<V extends AnyView = AnyView> {
  id: string;
  version: number;
  view: V | null;
}

/** Above every version: what this client itself ended, such as an order that it cancelled, no push brings back. */
export const ENDED = Number.MAX_SAFE_INTEGER;

/** How many ids are remembered as gone: a push comes seconds late, not thousands of changes late. */
const REMEMBERED = 1000;

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

/** The index of the first row that does not come before `key`: the row of that key, or where it would stand. */
export function placeOf(items: readonly AnyView[], key: ListKey): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const view = items[middle];
    if (view !== undefined && compareNewestFirst(keyOf(view), key) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The loaded row of this push; -1 where there is none. */
function rowOf<V extends AnyView>(items: readonly V[], { id, view }: VersionedPush<V>): number {
  if (view === null) return items.findIndex((other) => other._id === id);
  const place = placeOf(items, keyOf(view));
  return items[place]?._id === id ? place : -1;
}

function forget(gone: Record<string, number>, id: string): Record<string, number> {
  if (!(id in gone)) return gone;
  const { [id]: _returned, ...others } = gone;
  return others;
}

function remember(gone: Record<string, number>, id: string, version: number): Record<string, number> {
  const { [id]: _again, ...all } = gone;
  all[id] = version;
  const { length } = Object.keys(all);
  if (length <= 2 * REMEMBERED) return all;
  const kept = Object.entries(all).filter(([, at], index) => at === ENDED || index >= length - REMEMBERED - 1);
  return Object.fromEntries(kept);
}

/**
 * `list` after `push`; `list` itself when the push says nothing new. A view enters only if it fits the filter and its
 * key lies within what is loaded, and leaves when it no longer fits.
 */
export function applyToList<V extends AnyView>(
  list: LiveList<V>,
  push: VersionedPush<V>,
  fits: (view: V) => boolean,
): LiveList<V> {
  const { items, gone } = list;
  const { id, version, view } = push;
  const index = rowOf(items, push);
  if (version <= Math.max(items[index]?.version ?? 0, gone[id] ?? 0)) return list;
  if (view === null || !fits(view)) {
    return { ...list, items: index === -1 ? items : items.toSpliced(index, 1), gone: remember(gone, id, version) };
  }
  if (index !== -1) return { ...list, items: items.with(index, view) };
  const key = keyOf(view);
  if (list.end !== null && compareNewestFirst(key, list.end) > 0) {
    const { asked } = list;
    return asked === null ? list : { ...list, asked: { ...asked, overtaking: [...asked.overtaking, view] } };
  }
  return { ...list, items: items.toSpliced(placeOf(items, key), 0, view), gone: forget(gone, id) };
}

/** As much of a list as one or more fetched pages are. */
export type FetchedRows<V extends AnyView> = Pick<LiveList<V>, 'items' | 'next' | 'end'>;

/**
 * A freshly fetched window, where it is not older than what this client already knew: of each id the higher version
 * stays, and what left at that version or a later one stays away.
 */
export function mergeWindow<V extends AnyView>(known: LiveList<V> | undefined, fetched: FetchedRows<V>): LiveList<V> {
  const { next, end } = fetched;
  // A page that is on its way may miss what this fetch was for, so its answer is not waited for any more.
  const settled = { next, end, asked: null, pageError: null };
  if (known === undefined) return { ...settled, items: fetched.items, depth: null, gone: {} };
  const before = new Map(known.items.map((view) => [view._id, view]));
  const items = fetched.items
    .filter((view) => (known.gone[view._id] ?? 0) < view.version)
    .map((view) => {
      const other = before.get(view._id);
      return other !== undefined && other.version >= view.version ? other : view;
    });
  return { ...known, ...settled, items };
}

/** `list` with its next page asked for; `list` itself where there is none or it is on its way already. */
export function askForPage<V extends AnyView>(list: LiveList<V>, request: string): LiveList<V> {
  if (list.next === null || list.asked !== null) return list;
  return { ...list, asked: { request, overtaking: [] }, pageError: null };
}

/** `list` after the page of `request` did not come. */
export function giveUpPage<V extends AnyView>(list: LiveList<V>, request: string, error: unknown): LiveList<V> {
  return list.asked?.request === request ? { ...list, asked: null, pageError: error } : list;
}

/**
 * `list` with the page that answers `request`, and with what was pushed of that page meanwhile. `list` itself where that
 * page is no longer waited for.
 */
export function appendPage<V extends AnyView>(list: LiveList<V>, request: string, page: FetchedRows<V>): LiveList<V> {
  const { asked, gone } = list;
  if (asked?.request !== request) return list;
  const rows = page.items.filter((view) => (gone[view._id] ?? 0) < view.version);
  const grown = { ...list, items: [...list.items, ...rows], next: page.next, end: page.end, asked: null };
  return asked.overtaking.reduce<LiveList<V>>(
    (before, view) => applyToList(before, { id: view._id, version: view.version, view }, () => true),
    grown,
  );
}

/** One cached document after `push`: the push's view where it is newer than everything seen, `entry` itself otherwise. */
export function applyToEntry<V extends AnyView>(entry: V, push: VersionedPush<V>, seen: number): V {
  if (push.id !== entry._id || push.view === null) return entry;
  return push.version > Math.max(entry.version, seen) ? push.view : entry;
}
