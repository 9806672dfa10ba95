import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';
import type { Store } from '@reduxjs/toolkit';
import { useStore } from 'react-redux';
import { fetchLive, type LiveRoot } from './follow.ts';
import type { OneKind } from './live-document.ts';
import { useFollowed, useLiveDispatch, useView } from './use-live.ts';
import { viewOf } from './view-map.ts';
import type { LiveAnswer, LiveEntry } from './views.ts';

/**
 * Follows one document. `refetch` fetches the document again and resolves with its newest known view. If a request is
 * already in flight, `refetch` waits for that request and for one more after it. `error` is the error of the last
 * fetch, or null if the fetch succeeded.
 */
export function useLiveEntry<K extends ViewKind>(asked: OneKind<K>) {
  const [id = ''] = asked.ids;
  const dispatch = useLiveDispatch();
  const store = useStore<LiveRoot>();
  const entry = useFollowed<LiveEntry>(asked);
  const data = useView<K>(asked.kind, id);
  const refetch = async () => {
    await dispatch(fetchLive(asked.path));
    await untilIdle(store, asked.path);
    return viewOf(store.getState().views.known[asked.kind].views, id) as Views[K] | undefined;
  };
  return { data, error: entry?.error ?? null, refetch };
}

/** Resolves once no request for the resource at `path` is in flight or about to be sent. */
function untilIdle(store: Store<LiveRoot>, path: string): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      const resource = store.getState().views.followed[path];
      if (resource !== undefined && (resource.request !== null || resource.stale)) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = store.subscribe(check);
    check();
  });
}

/** Follows a resource of type `LiveAnswer`, which is refetched after each push that affects it. */
export function useLiveAnswer<Data>(asked: LiveAnswer<Data>) {
  const dispatch = useLiveDispatch();
  const answer = useFollowed<LiveAnswer>(asked as LiveAnswer) as LiveAnswer<Data> | undefined;
  return {
    data: answer?.data ?? undefined,
    error: answer?.error ?? null,
    refetch: () => void dispatch(fetchLive(asked.path)),
  };
}
