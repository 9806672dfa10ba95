import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { fetchLive, follow, type LiveDispatch, type LiveRoot, unfollow } from './follow.ts';
import { viewOf } from './view-map.ts';
import type { LiveList, Resource, ViewsState } from './views.ts';

export const useLiveDispatch = useDispatch.withTypes<LiveDispatch>();
export const useLive = useSelector.withTypes<LiveRoot>();

/**
 * Follows all resources in `asked` while the component is mounted, and returns their current states in the same order.
 */
export function useAllFollowed(asked: readonly Resource[]): readonly (Resource | undefined)[] {
  const dispatch = useLiveDispatch();
  const paths = asked.map(({ path }) => path);
  const epoch = useLive(({ views }) => views.epoch);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the paths identify `asked`, and a new epoch follows it again
  useEffect(() => {
    for (const one of asked) dispatch(follow(one));
    return () => {
      for (const path of paths) dispatch(unfollow(path));
    };
  }, [dispatch, paths.join(' '), epoch]);
  return useLive(({ views }) => paths.map((path) => views.followed[path]), isSame);
}

/**
 * Follows the resource `asked` while the component is mounted, and returns the resource's current state. If `asked` is
 * null, follows nothing and returns undefined.
 */
export const useFollowed = <R extends Resource>(asked: R | null) =>
  useAllFollowed(asked === null ? [] : [asked])[0] as R | undefined;

function isSame<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** Returns the newest version of a view, or undefined if the view is unknown or was released. */
export const useView = <K extends ViewKind>(kind: K, id: string) =>
  useViewsState(({ known }) => viewOf(known[kind].views, id)) as Views[K] | undefined;

/** Like `useLive`, but with less work for each of the many rows on a page. The result of `select` must be cheap. */
function useViewsState<Selected>(select: (views: ViewsState) => Selected): Selected {
  const store = useStore<LiveRoot>();
  const read = () => select(store.getState().views);
  return useSyncExternalStore(store.subscribe, read, read);
}

/**
 * Like `useView`, but keeps returning the last version of a view that has been released, for example the view of a row
 * that has just left its list.
 */
export function useLastView<K extends ViewKind>(kind: K, id: string): Views[K] | undefined {
  const view = useView(kind, id);
  const last = useRef(view);
  if (view !== undefined) last.current = view;
  return last.current;
}

/** Returns the known views with these ids. The returned array stays the same as long as none of these views changes. */
export function useViews<K extends ViewKind>(kind: K, ids: readonly string[]): readonly Views[K][] {
  return useLive(({ views }) => ids.flatMap((id) => viewOf(views.known[kind].views, id) ?? []) as Views[K][], isSame);
}

/** Whether a document arrived or changed within the last second. Loading the document doesn't count. */
export const useIsChanged = (id: string): boolean => useViewsState(({ changed }) => id in changed);

/** A list whose first response has arrived. */
export type LoadedList = LiveList & { ids: readonly string[] };

/** A followed list's state, for the component that shows the list. */
export interface ShownList {
  /** undefined until the first response */
  list: LoadedList | undefined;
  /** why the last fetch failed, or null */
  error: unknown;
  refetch: () => void;
}

export function useLiveList(asked: LiveList | null): ShownList {
  const dispatch = useLiveDispatch();
  const list = useFollowed(asked);
  const path = asked?.path ?? '';
  const refetch = useCallback(() => void dispatch(fetchLive(path)), [dispatch, path]);
  return { list: list?.ids ? (list as LoadedList) : undefined, error: list?.error ?? null, refetch };
}
