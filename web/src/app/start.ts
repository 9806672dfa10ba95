import type { UnknownAction } from 'redux';
import { clientConfigApi, takeWrittenConfig } from '../api/client-config.ts';
import { wentStale } from '../live/live-slice.ts';
import { FIRST_CONNECTION_PATIENCE, type PushHub, pushHub } from '../live/push-hub.ts';
import { createSessionKeeper, type SessionKeeper } from '../session/session-keeper.ts';
import { roleChanged, type Session } from '../session/session-slice.ts';
import { afterFirstPaint, loadChunk } from '../ui/load-chunk.ts';
import { type AppStore, makeStore } from './store.ts';

/** Creates the store, restores the session and opens the live socket. Call it once. */
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
  // What is fetched before the socket connects is fetched again then, since pushes may have been missed.
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

interface SessionStore {
  getState(): { session: Session };
  dispatch(action: UnknownAction): unknown;
}

/** Applies a promotion or demotion of the signed-in person at once: the drawer and the admin guard depend on it. */
export function followRole(store: SessionStore, hub: PushHub = pushHub): () => void {
  return hub.subscribe(({ view }) => {
    if (view === null || !('role' in view)) return;
    const { email, role } = store.getState().session;
    if (view.email === email && view.role !== role) store.dispatch(roleChanged({ role: view.role }));
  });
}
