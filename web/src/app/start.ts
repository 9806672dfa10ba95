import { clientConfigApi, takeWrittenConfig } from '../api/client-config.ts';
import { wentStale } from '../live/live-slice.ts';
import { FIRST_CONNECTION_PATIENCE, pushHub } from '../live/push-hub.ts';
import { followRole } from '../session/follow-role.ts';
import { createSessionKeeper, type SessionKeeper } from '../session/session-keeper.ts';
import { loadChunk } from '../ui/load-chunk.ts';
import { afterFirstPaint } from './after-first-paint.ts';
import { type AppStore, makeStore } from './store.ts';

/** Makes the store, takes up the session that was kept, and opens the live socket: once for each page load. */
export function startApp(): { store: AppStore; keeper: SessionKeeper } {
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
      return createFirebaseIdentity(firebase);
    },
  });
  keeper.start();
  followRole(store);
  // What is fetched until the socket stands is brought up to date then, since pushes may have been missed.
  pushHub.close(FIRST_CONNECTION_PATIENCE);
  afterFirstPaint(() => void goLive(store));
  return { store, keeper };
}

async function goLive(store: AppStore): Promise<void> {
  try {
    const { startLive } = await loadChunk('live', () => import('../live/live-socket.ts'));
    startLive(store);
  } catch {
    store.dispatch(wentStale());
  }
}
