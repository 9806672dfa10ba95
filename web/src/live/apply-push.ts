import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';

/** Where a view stands in its list: time of its first event, then id. Neither ever changes (LIST1). */
export interface ListKey {
  time: string;
  id: string;
}

export type AnyView = Views[ViewKind];

/** A cached list, newest first, and what is needed to keep it right while pushes come in any order. */
export interface LiveList<V extends AnyView = AnyView> {
  items: V[];
  /** path of the page after the loaded ones; null when everything is loaded */
  next: string | null;
  /** key of the oldest loaded row; null when everything is loaded */
  end: ListKey | null;
  /** how many rows the screen asked for */
  wanted: number;
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

const without = <V extends AnyView>(items: V[], id: string): V[] => items.filter((view) => view._id !== id);

function leave<V extends AnyView>(list: LiveList<V>, id: string, version: number): LiveList<V> {
  return { ...list, items: without(list.items, id), gone: { ...list.gone, [id]: version } };
}

function enter<V extends AnyView>(list: LiveList<V>, view: V): LiveList<V> {
  const key = keyOf(view);
  const items = without(list.items, view._id);
  const after = items.findIndex((other) => compareNewestFirst(key, keyOf(other)) < 0);
  items.splice(after === -1 ? items.length : after, 0, view);
  const { [view._id]: _returned, ...gone } = list.gone;
  return { ...list, items, gone };
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
  const index = list.items.findIndex((view) => view._id === push.id);
  const known = Math.max(list.items[index]?.version ?? 0, list.gone[push.id] ?? 0);
  if (push.version <= known) return list;
  const { view } = push;
  if (view === null || !fits(view)) return leave(list, push.id, push.version);
  if (list.end !== null && compareNewestFirst(keyOf(view), list.end) > 0) return list;
  if (index === -1) return enter(list, view);
  return { ...list, items: list.items.with(index, view) };
}

/**
 * A freshly fetched window, where it is not older than what this client already knew: of each id the higher version
 * stays, and what left at that version or a later one stays away.
 */
export function mergeWindow<V extends AnyView>(known: LiveList<V> | undefined, fetched: LiveList<V>): LiveList<V> {
  if (known === undefined) return fetched;
  const newest = new Map(known.items.map((view) => [view._id, view]));
  const items = fetched.items
    .filter((view) => (known.gone[view._id] ?? 0) < view.version)
    .map((view) => {
      const other = newest.get(view._id);
      return other !== undefined && other.version > view.version ? other : view;
    });
  return { ...fetched, items, gone: known.gone };
}

/** One cached document after `push`: the push's view where it is newer than everything seen, `entry` itself otherwise. */
export function applyToEntry<V extends AnyView>(entry: V, push: VersionedPush<V>, seen: number): V {
  if (push.id !== entry._id || push.view === null) return entry;
  return push.version > Math.max(entry.version, seen) ? push.view : entry;
}
