import type { UnknownAction } from 'redux';
import { type PushHub, pushHub } from '../live/push-hub.ts';
import { roleChanged, type Session } from './session-slice.ts';

interface SessionStore {
  getState(): { session: Session };
  dispatch(action: UnknownAction): unknown;
}

/** Lets a promotion or a demotion of whoever is signed in show at once: the drawer and the admin guard go by it. */
export function followRole(store: SessionStore, hub: PushHub = pushHub): () => void {
  return hub.subscribe(({ view }) => {
    if (view === null || !('role' in view)) return;
    const { email, role } = store.getState().session;
    if (view.email === email && view.role !== role) store.dispatch(roleChanged({ role: view.role }));
  });
}
