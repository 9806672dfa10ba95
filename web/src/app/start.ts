import { clientConfigApi, takeWrittenConfig } from '../api/client-config.ts';
import { firstConnection } from '../live/first-connection.ts';
import { wentStale } from '../live/live-slice.ts';
import { ACCESS_TOKEN_KEY, createSessionKeeper, type SessionKeeper } from '../session/session-keeper.ts';
import { afterFirstPaint, loadChunk } from '../ui/load-chunk.ts';
import { type AppStore, makeStore } from './store.ts';

/**
 * Creates the store and the session keeper. `start` restores the session and opens the live socket. Call `makeApp` and
 * `start` only once each.
 */
export function makeApp(): { store: AppStore; keeper: SessionKeeper; start: () => void } {
  const store = makeStore();
  takeWrittenConfig(store.dispatch);
  const keeper = createSessionKeeper({
    store,
    storage: window.localStorage,
    loadIdentity: async () => {
      const config = store.dispatch(clientConfigApi.endpoints.getClientConfig.initiate());
      const [{ firebase }, { createFirebaseIdentity }] = await Promise.all([
        config.unwrap(),
        loadChunk('sign-in', () => import('../session/firebase-auth.ts')),
      ]);
      return createFirebaseIdentity(firebase, window.localStorage.getItem(ACCESS_TOKEN_KEY) !== null);
    },
  });
  // Makes fetches wait briefly for the live socket to connect. Data that is fetched earlier has to be fetched again,
  // because pushes may have been missed in between.
  firstConnection.close();
  const start = () => {
    keeper.start();
    afterFirstPaint(() => void goLive(store));
  };
  return { store, keeper, start };
}

async function goLive(store: AppStore): Promise<void> {
  try {
    const { startLive } = await loadChunk('live', () => import('../live/live-socket.ts'));
    startLive(store);
  } catch {
    store.dispatch(wentStale());
  }
}
