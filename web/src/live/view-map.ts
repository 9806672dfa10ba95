import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';

export type AnyView = Views[ViewKind];
type Shard = Readonly<Record<string, AnyView>>;

/**
 * A map from ids to views, split into shards. A change copies only the affected shards, so the cost of a change is
 * nearly independent of the number of views.
 */
export type ViewMap = readonly Shard[];

const SHARDS = 2048;
export const NO_VIEWS: ViewMap = new Array<Shard>(SHARDS).fill({});

function shardOf(id: string): number {
  let hash = 0;
  for (let at = 0; at < id.length; at += 1) hash = (hash * 31 + id.charCodeAt(at)) | 0;
  return hash & (SHARDS - 1);
}

export const viewOf = (views: ViewMap, id: string): AnyView | undefined => views[shardOf(id)]?.[id];

/** Returns `views` with `changes` applied. A null in `changes` removes the view with that id. */
export function withViews(views: ViewMap, changes: ReadonlyMap<string, AnyView | null>): ViewMap {
  if (changes.size === 0) return views;
  const copied = new Map<number, Record<string, AnyView>>();
  for (const [id, view] of changes) {
    const index = shardOf(id);
    const shard = copied.get(index) ?? { ...views[index] };
    copied.set(index, shard);
    if (view === null) delete shard[id];
    else shard[id] = view;
  }
  const after = views.slice();
  for (const [index, shard] of copied) after[index] = shard;
  return after;
}

/**
 * A view that differs between two states. `before` is undefined if the view was added, and `after` is undefined if the
 * view was removed.
 */
interface ViewChange {
  before: AnyView | undefined;
  after: AnyView | undefined;
}

export function viewChanges(before: ViewMap, after: ViewMap): ViewChange[] {
  const changes: ViewChange[] = [];
  if (before === after) return changes;
  for (let index = 0; index < SHARDS; index += 1) {
    const [was, is] = [before[index] as Shard, after[index] as Shard];
    if (was === is) continue;
    for (const id of new Set([...Object.keys(was), ...Object.keys(is)]))
      if (was[id] !== is[id]) changes.push({ before: was[id], after: is[id] });
  }
  return changes;
}
