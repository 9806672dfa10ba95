import { clientConfigApi } from '../api/client-config.ts';
import { followRole } from '../features/auth/follow-role.ts';
import { createSessionKeeper, type SessionKeeper } from '../features/auth/session-keeper.ts';
import { startLive } from '../live/live-socket.ts';
import { loadChunk } from './load-chunk.ts';
import { type AppStore, makeStore } from './store.ts';

/** Makes the store, takes up the session that was kept, and opens the live socket: once for each page load. */
export function startApp(): { store: AppStore; keeper: SessionKeeper } {
  const store = makeStore();
  const keeper = createSessionKeeper({
    store,
    storage: window.localStorage,
    loadIdentity: async () => {
      const config = store.dispatch(clientConfigApi.endpoints.getClientConfig.initiate());
      const [{ firebase }, { createFirebaseIdentity }] = await Promise.all([
        config.unwrap(),
        loadChunk('sign-in', () => import('../features/auth/firebase-auth.ts')),
      ]);
      return createFirebaseIdentity(firebase);
    },
  });
  keeper.start();
  followRole(store);
  startLive(store);
  return { store, keeper };
}
