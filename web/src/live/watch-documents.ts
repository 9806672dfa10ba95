import type { Store } from '@reduxjs/toolkit';
import type { LiveRoot } from './follow.ts';
import { viewChanges } from './view-map.ts';
import type { ViewsState } from './views.ts';

type Wake = () => void;
type Watch = (id: string, wake: Wake) => () => void;

const watches = new WeakMap<Store<LiveRoot>, Watch>();

/**
 * Calls `wake` only when the view or the highlight of the document `id` changes. Returns a function that stops
 * watching.
 */
export function watchDocument(store: Store<LiveRoot>, id: string, wake: Wake): () => void {
  const watch = watches.get(store) ?? watchAll(store);
  watches.set(store, watch);
  return watch(id, wake);
}

function watchAll(store: Store<LiveRoot>): Watch {
  const wakes = new Map<string, Set<Wake>>();
  let before = store.getState().views;
  store.subscribe(() => {
    const { views } = store.getState();
    const ids = changedIds(before, views);
    before = views;
    for (const id of ids) for (const wake of wakes.get(id) ?? []) wake();
  });
  return (id, wake) => {
    const all = wakes.get(id) ?? new Set();
    wakes.set(id, all.add(wake));
    return () => {
      all.delete(wake);
      if (all.size === 0 && wakes.get(id) === all) wakes.delete(id);
    };
  };
}

function changedIds(before: ViewsState, after: ViewsState): Set<string> {
  const ids = new Set<string>();
  if (before.changed !== after.changed) {
    for (const id in after.changed) if (!(id in before.changed)) ids.add(id);
    for (const id in before.changed) if (!(id in after.changed)) ids.add(id);
  }
  if (before.known === after.known) return ids;
  for (const kind of Object.keys(after.known) as (keyof ViewsState['known'])[])
    for (const change of viewChanges(before.known[kind].views, after.known[kind].views))
      ids.add((change.after ?? change.before)?._id ?? '');
  return ids;
}
