import { combineReducers, configureStore, createListenerMiddleware } from '@reduxjs/toolkit';
import { takeWrittenConfig } from '../api/client-config.ts';
import { shopApi } from '../api/shop-api.ts';
import { forgetViews, viewsReducer } from '../live/follow.ts';
import { liveSlice } from '../live/live-slice.ts';
import { pageStateSlice, storeDrafts } from '../session/page-state.ts';
import { sessionSlice } from '../session/session-slice.ts';

const rootReducer = combineReducers({
  session: sessionSlice.reducer,
  live: liveSlice.reducer,
  pageState: pageStateSlice.reducer,
  views: viewsReducer,
  [shopApi.reducerPath]: shopApi.reducer,
});

export type RootState = ReturnType<typeof rootReducer>;

/**
 * Excludes the `views` state from Redux Toolkit's development checks. Checking all views after each action would be
 * slow, and the state contains functions, which aren't serializable.
 */
const UNCHECKED = { ignoredPaths: ['views'], ignoreActions: true };

/** Creates the app's store. */
export function makeStore() {
  const afterwards = createListenerMiddleware<RootState>();
  // One user's data must not be shown to the next user who signs in here.
  afterwards.startListening({
    predicate: (_action, now, before) => before.session.email !== null && now.session.email !== before.session.email,
    effect: (_action, api) => {
      api.dispatch(shopApi.util.resetApiState());
      api.dispatch(forgetViews());
      takeWrittenConfig(api.dispatch);
    },
  });
  afterwards.startListening({
    predicate: (_action, now, before) => now.pageState.drafts !== before.pageState.drafts,
    effect: (_action, api) => storeDrafts(api.getState().pageState),
  });
  return configureStore({
    reducer: rootReducer,
    middleware: (defaults) =>
      defaults({ serializableCheck: UNCHECKED, immutableCheck: UNCHECKED })
        .prepend(afterwards.middleware)
        .concat(shopApi.middleware),
  });
}

export type AppStore = ReturnType<typeof makeStore>;
export type AppDispatch = AppStore['dispatch'];
