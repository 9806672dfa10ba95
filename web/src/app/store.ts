import { combineReducers, configureStore, createListenerMiddleware } from '@reduxjs/toolkit';
import { takeWrittenConfig } from '../api/client-config.ts';
import { shopApi } from '../api/shop-api.ts';
import { liveSlice } from '../live/live-slice.ts';
import { draftSlice } from '../session/draft-slice.ts';
import { sessionSlice } from '../session/session-slice.ts';

const rootReducer = combineReducers({
  session: sessionSlice.reducer,
  drafts: draftSlice.reducer,
  live: liveSlice.reducer,
  [shopApi.reducerPath]: shopApi.reducer,
});

export type RootState = ReturnType<typeof rootReducer>;

/** The app's one store. */
export function makeStore() {
  const afterwards = createListenerMiddleware<RootState>();
  // One person's data must not be shown to the next who signs in here.
  afterwards.startListening({
    predicate: (_action, now, before) => before.session.email !== null && now.session.email !== before.session.email,
    effect: (_action, api) => {
      api.dispatch(shopApi.util.resetApiState());
      takeWrittenConfig(api.dispatch);
    },
  });
  return configureStore({
    reducer: rootReducer,
    middleware: (defaults) => defaults().prepend(afterwards.middleware).concat(shopApi.middleware),
  });
}

export type AppStore = ReturnType<typeof makeStore>;
export type AppDispatch = AppStore['dispatch'];
