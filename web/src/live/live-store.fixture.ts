import type { ReviewView } from '@micro-center/services/contracts/review/review-view.ts';
import { configureStore } from '@reduxjs/toolkit';
import { shopApi } from '../api/shop-api.ts';
import { type LivePage, takePushes, viewsReducer } from './follow.ts';
import { liveSlice } from './live-slice.ts';
import { viewOf } from './view-map.ts';
import type { LiveList } from './views.ts';

export function review(id: string, minute: number, version = 1, ratings = 5): ReviewView {
  const postedAt = new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
  return { _id: id, name: 'Case', ratings, username: 'Rahim', description: 'Good', postedAt, version };
}

/**
 * Returns a store that has only the live layer. Also returns functions that apply pushes to the store and read its
 * rows.
 */
export function openStore(extraArgument?: LivePage) {
  const store = configureStore({
    reducer: {
      shopApi: shopApi.reducer,
      live: liveSlice.reducer,
      views: viewsReducer,
      session: () => ({ token: null }),
    },
    middleware: (defaults) =>
      defaults({ serializableCheck: false, immutableCheck: false, thunk: { extraArgument } }).concat(
        shopApi.middleware,
      ),
  });
  const view = (id: string) => viewOf(store.getState().views.known.review.views, id) as ReviewView | undefined;
  const listAt = (path: string) => store.getState().views.followed[path] as LiveList | undefined;
  return {
    store,
    view,
    listAt,
    rows: (path = '/reviews?sort=newest') => listAt(path)?.ids?.map((id) => `${id}@${view(id)?.version}`),
    push: (pushed: ReviewView) =>
      store.dispatch(takePushes([{ kind: 'review', id: pushed._id, version: pushed.version, view: pushed }])),
    gone: (id: string, version: number) => store.dispatch(takePushes([{ kind: 'review', id, version, view: null }])),
  };
}
