import type { ThunkDispatch } from '@reduxjs/toolkit';
import type { UnknownAction } from 'redux';
import { mayPass, problemText } from '../api/problem.ts';
import { authApi } from './auth.api.ts';
import { endsSession, type Identity, type IdentityUser, type Registration } from './identity.ts';
import { type Session, type SignedOutReason, signedIn, signedOut, tokenRenewed } from './session-slice.ts';

export const ACCESS_TOKEN_KEY = 'accessToken';

/** An access token lasts an hour: it is renewed well before, and after a failed renewal soon again. In milliseconds. */
export const RENEW_AFTER = 50 * 60_000;
export const RENEW_AGAIN_AFTER = 30_000;
/** How long a page that has just been opened goes on trying while the shop is busy or restarting, in milliseconds. */
export const RESTORE_PAUSES = [500, 1_500, 4_000];

export interface SessionStore {
  getState(): { session: Session };
  dispatch: ThunkDispatch<{ session: Session }, unknown, UnknownAction>;
  subscribe(listener: () => void): () => void;
}

export interface SessionKeeper {
  /** Looks whether somebody was signed in last time. Call it once; the answer ends it. */
  start(): () => void;
  /** Loads the provider, so that the first click on a form need not wait for it. */
  prepare(): void;
  /** These four reject with what the person should read: `errorText` puts it into words. */
  signIn(email: string, password: string): Promise<void>;
  register(registration: Registration): Promise<{ problem: unknown }>;
  signInWithGoogle(demoAccount?: { name: string; email: string }): Promise<void>;
  sendPasswordReset(email: string): Promise<void>;
  /** Tries once more to take up the sign-in that failed. */
  retry(): void;
  signOut(reason: SignedOutReason): Promise<void>;
}

/** The provider's own message, or the sentence of the shop's problem. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : problemText(error);
}

const isUnauthenticated = (error: unknown) =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === 401;

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/**
 * Keeps the session in step with the identity provider: exchanges its tokens for the API's, stores and renews them, and
 * drops them at sign-out (I5).
 */
export function createSessionKeeper(parts: {
  store: SessionStore;
  loadIdentity: () => Promise<Identity>;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}): SessionKeeper {
  const { store, storage } = parts;
  let identity: Promise<Identity> | undefined;
  let user: IdentityUser | null = null;
  let forms = 0;
  let turn = 0;
  let openedAt = 0;
  let renewal: ReturnType<typeof setTimeout> | undefined;

  const session = () => store.getState().session;

  function provider(): Promise<Identity> {
    if (identity !== undefined) return identity;
    const loading = parts.loadIdentity().then((loaded) => {
      loaded.onUserChanged((next) => void userChanged(next));
      return loaded;
    });
    loading.catch(() => {
      identity = undefined;
    });
    identity = loading;
    return loading;
  }

  async function open(next: IdentityUser): Promise<void> {
    turn += 1;
    const mine = turn;
    user = next;
    const email = next.email.trim().toLowerCase();
    const idToken = await next.idToken(false);
    const saved = store.dispatch(authApi.endpoints.openSession.initiate({ email, idToken }, { track: false }));
    const { token } = await saved.unwrap();
    const asked = store.dispatch(authApi.endpoints.checkAdmin.initiate({ email, token }, { track: false }));
    const { admin } = await asked.unwrap();
    if (mine !== turn) return;
    storage.setItem(ACCESS_TOKEN_KEY, token);
    openedAt = Date.now();
    const known = session();
    const role = admin ? 'admin' : 'customer';
    if (known.status === 'signed-in' && known.email === email && known.role === role) {
      store.dispatch(tokenRenewed({ token }));
    } else {
      store.dispatch(signedIn({ token, email, name: next.name || email.slice(0, email.indexOf('@')), role }));
    }
    renewIn(RENEW_AFTER);
  }

  /** Takes up a sign-in that nobody is waiting for: the one kept from last time, of another tab, or a new token. */
  async function follow(next: IdentityUser): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const before = turn;
      try {
        await open(next);
        return;
      } catch (error) {
        if (turn !== before + 1) return;
        const wait = RESTORE_PAUSES[attempt];
        if (session().status === 'unknown' && mayPass(error) && wait !== undefined) {
          await pause(wait);
          if (turn !== before + 1) return;
          continue;
        }
        await giveUp(error);
        return;
      }
    }
  }

  async function giveUp(error: unknown): Promise<void> {
    if (endsSession(error) || isUnauthenticated(error)) await leave('expired');
    else if (session().status === 'signed-in') renewIn(RENEW_AGAIN_AFTER);
    else store.dispatch(signedOut({ reason: 'failed', problem: errorText(error) }));
  }

  async function userChanged(next: IdentityUser | null): Promise<void> {
    // While a form is at work it opens the session itself, once everything about the account is in place.
    if (forms > 0) return;
    if (next !== null) return follow(next);
    user = null;
    storage.removeItem(ACCESS_TOKEN_KEY);
    const { status } = session();
    if (status !== 'signed-out') end(status === 'unknown' ? 'visitor' : 'expired');
  }

  function renewIn(milliseconds: number): void {
    clearTimeout(renewal);
    renewal = setTimeout(() => void renew(), milliseconds);
  }

  /** A fresh token comes back through `userChanged`, as any new token does. */
  async function renew(): Promise<void> {
    try {
      await user?.idToken(true);
    } catch (error) {
      await giveUp(error);
    }
  }

  function end(reason: SignedOutReason): void {
    turn += 1;
    clearTimeout(renewal);
    storage.removeItem(ACCESS_TOKEN_KEY);
    store.dispatch(signedOut({ reason }));
  }

  async function leave(reason: SignedOutReason): Promise<void> {
    end(reason);
    user = null;
    await (await provider()).signOut();
  }

  /** The API has refused the token. One that a sleeping computer let run out is renewed; any other ends the sign-in. */
  async function refused(): Promise<void> {
    clearTimeout(renewal);
    if (user === null || Date.now() - openedAt < RENEW_AFTER) await leave('expired');
    else await renew();
  }

  async function fromForm<T>(
    work: (identity: Identity) => Promise<T>,
    userOf: (answer: T) => IdentityUser,
  ): Promise<T> {
    forms += 1;
    try {
      const answer = await work(await provider());
      await open(userOf(answer));
      return answer;
    } finally {
      forms -= 1;
    }
  }

  const itself = (next: IdentityUser) => next;

  return {
    start() {
      let before = session();
      const unsubscribe = store.subscribe(() => {
        const now = session();
        const wasRefused = before.status === 'signed-in' && now.status === 'signed-out' && now.reason === 'expired';
        before = now;
        if (wasRefused && storage.getItem(ACCESS_TOKEN_KEY) !== null) void refused();
      });
      if (storage.getItem(ACCESS_TOKEN_KEY) === null) store.dispatch(signedOut({ reason: 'visitor' }));
      else provider().catch(giveUp);
      return () => {
        unsubscribe();
        clearTimeout(renewal);
      };
    },
    prepare() {
      // What fails here fails again, and is said, where a form needs it.
      provider().catch(() => undefined);
    },
    async signIn(email, password) {
      await fromForm((loaded) => loaded.signIn(email, password), itself);
    },
    async register(registration) {
      const { problem } = await fromForm(
        (loaded) => loaded.register(registration),
        (answer) => answer.user,
      );
      return { problem };
    },
    async signInWithGoogle(demoAccount) {
      await fromForm((loaded) => loaded.signInWithGoogle(demoAccount), itself);
    },
    async sendPasswordReset(email) {
      await (await provider()).sendPasswordReset(email);
    },
    retry() {
      if (user === null) provider().catch(giveUp);
      else void follow(user);
    },
    signOut: leave,
  };
}
