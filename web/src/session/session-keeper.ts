import { addListener, type ThunkDispatch, type UnsubscribeListener } from '@reduxjs/toolkit';
import { createContext, useContext } from 'react';
import type { UnknownAction } from 'redux';
import { mayPass, problemText } from '../api/problem.ts';
import { sessionRefused } from '../api/shop-api.ts';
import { authApi } from './auth.api.ts';
import { endsSession, type Identity, type IdentityUser, type Registration } from './identity.ts';
import { type Session, type SignedOutReason, signedIn, signedOut } from './session-slice.ts';

export const ACCESS_TOKEN_KEY = 'accessToken';

/**
 * `RENEW_AFTER` is the age at which an access token is renewed (tokens last an hour). `RENEW_AGAIN_AFTER` is the delay
 * before a failed renewal is retried. Both are in milliseconds.
 */
export const RENEW_AFTER = 50 * 60_000;
export const RENEW_AGAIN_AFTER = 30_000;
/** Retry delays for restoring a session while the shop is busy or restarting, in milliseconds. */
const RESTORE_PAUSES = [500, 1_500, 4_000];

interface SessionStore {
  getState(): { session: Session };
  /** the dispatch function of a store that has the listener middleware */
  dispatch: ThunkDispatch<{ session: Session }, unknown, UnknownAction>;
}

export interface SessionKeeper {
  /**
   * Restores the stored session, if there is one. Call this method only once. Returns a function that stops the keeper.
   */
  start(): () => void;
  /** Preloads the identity provider before the user's first click in a form. */
  prepare(): void;
  /**
   * This method, `register`, `signInWithGoogle` and `sendPasswordReset` reject with an error from the provider or the
   * shop. `errorText` returns the message to show for that error.
   */
  signIn(email: string, password: string): Promise<void>;
  /** Resolves once the account exists. `problem` is the error of a later step, or null (identity.ts). */
  register(registration: Registration): Promise<{ problem: unknown }>;
  signInWithGoogle(demoAccount?: { name: string; email: string }): Promise<void>;
  sendPasswordReset(email: string): Promise<void>;
  /** Retries the sign-in that failed. */
  retry(): void;
  signOut(reason: SignedOutReason): Promise<void>;
}

/** Returns the message to show for an error from the identity provider or the shop. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : problemText(error);
}

const isUnauthenticated = (error: unknown) =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === 401;

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/**
 * The sign-in whose session is open or being opened:
 *
 *     nobody --a user--> opening --a token--> open --the token expires--> opening
 *                                             open --the token is 50 minutes old--> open, with a new token
 *
 * Signing out leads back to nobody, and so does a failure that ends the session. After any other failure, the state stays
 * the same. An open session then renews its token later, and one that is being opened waits for retry(). Each attempt to
 * open a session makes a new object, even for the same user, so that the response to an earlier attempt is recognized and
 * ignored.
 */
type SignIn =
  | { readonly state: 'nobody' }
  | { readonly state: 'opening'; readonly user: IdentityUser }
  | { readonly state: 'open'; readonly user: IdentityUser; readonly openedAt: number };

/**
 * Creates the session keeper, which keeps the session in sync with the identity provider. It exchanges the provider's
 * ID tokens for the API's access tokens, stores and renews the access tokens, and deletes them at sign-out (I5).
 */
export function createSessionKeeper(parts: {
  store: SessionStore;
  loadIdentity: () => Promise<Identity>;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}): SessionKeeper {
  const { store, storage } = parts;
  let identity: Promise<Identity> | undefined;
  let loaded: Identity | undefined;
  let current: SignIn = { state: 'nobody' };
  /** how many forms are being submitted */
  let forms = 0;
  let renewal: ReturnType<typeof setTimeout> | undefined;

  const session = () => store.getState().session;

  async function load(): Promise<Identity> {
    try {
      loaded = await parts.loadIdentity();
      loaded.onUserChanged((user) => void userChanged(user));
      return loaded;
    } catch (error) {
      identity = undefined;
      throw error;
    }
  }

  function provider(): Promise<Identity> {
    identity ??= load();
    return identity;
  }

  /** Begins an attempt to open a session. A session that is already open, of this user or another, stays open meanwhile. */
  function begin(user: IdentityUser): Exclude<SignIn, { state: 'nobody' }> {
    const mine = current.state === 'open' ? { ...current, user } : ({ state: 'opening', user } as const);
    current = mine;
    return mine;
  }

  /**
   * Exchanges the ID token for the API's access token, and signs the user in. Rejects with the provider's or the shop's
   * error.
   */
  async function open(mine: ReturnType<typeof begin>): Promise<void> {
    const { user } = mine;
    const email = user.email.trim().toLowerCase();
    const idToken = await user.idToken(false);
    const saved = store.dispatch(authApi.endpoints.openSession.initiate({ email, idToken }, { track: false }));
    const { token } = await saved.unwrap();
    const asked = store.dispatch(authApi.endpoints.checkAdmin.initiate({ email, token }, { track: false }));
    const { admin } = await asked.unwrap();
    if (mine !== current) return;
    storage.setItem(ACCESS_TOKEN_KEY, token);
    current = { state: 'open', user, openedAt: Date.now() };
    const name = user.name || email.slice(0, email.indexOf('@'));
    store.dispatch(signedIn({ token, email, name, role: admin ? 'admin' : 'customer' }));
    renewIn(RENEW_AFTER);
  }

  /**
   * Opens a session when no form is waiting for the result, for example after the stored session is restored, after a
   * token is renewed, or after the user signs in from another tab.
   */
  async function openQuietly(user: IdentityUser): Promise<void> {
    const mine = begin(user);
    for (const wait of [...RESTORE_PAUSES, null]) {
      try {
        return await open(mine);
      } catch (error) {
        if (mine !== current) return;
        if (wait === null || session().status !== 'unknown' || !mayPass(error)) return giveUp(error);
        await pause(wait);
        if (mine !== current) return;
      }
    }
  }

  async function giveUp(error: unknown): Promise<void> {
    if (endsSession(error) || isUnauthenticated(error)) return leave('expired');
    switch (current.state) {
      case 'open':
        return renewIn(RENEW_AGAIN_AFTER);
      case 'nobody':
      case 'opening':
        return void store.dispatch(signedOut({ reason: 'failed', problem: errorText(error) }));
      default:
        current satisfies never;
    }
  }

  async function userChanged(next: IdentityUser | null): Promise<void> {
    // While a form is being submitted, `fromForm` opens the session, once the account is complete.
    if (forms > 0) return;
    if (next !== null) return openQuietly(next);
    const { status } = session();
    forget();
    if (status !== 'signed-out') store.dispatch(signedOut({ reason: status === 'unknown' ? 'visitor' : 'expired' }));
  }

  function renewIn(milliseconds: number): void {
    clearTimeout(renewal);
    renewal = setTimeout(() => void renew(), milliseconds);
  }

  /** Requests a fresh ID token. The provider reports it to `userChanged`, like any other new token. */
  async function renew(): Promise<void> {
    const mine = current;
    if (mine.state === 'nobody') return;
    try {
      await mine.user.idToken(true);
    } catch (error) {
      if (mine === current) await giveUp(error);
    }
  }

  /**
   * Loads the identity provider, which then reports who is signed in. If the provider can't be loaded, calls `giveUp`,
   * unless the session has changed in the meantime.
   */
  function restore(): void {
    const before = session();
    provider().catch(async (error) => {
      if (session() === before) await giveUp(error);
    });
  }

  function forget(): void {
    current = { state: 'nobody' };
    clearTimeout(renewal);
    storage.removeItem(ACCESS_TOKEN_KEY);
  }

  async function leave(reason: SignedOutReason): Promise<void> {
    forget();
    store.dispatch(signedOut({ reason }));
    await (await provider()).signOut();
  }

  /**
   * Called when the API has rejected this session's token. shop-api.ts filters out late rejections of an earlier token.
   * Renews a token that expired while the computer was asleep. Any other rejection ends the session.
   */
  async function refused(): Promise<void> {
    clearTimeout(renewal);
    switch (current.state) {
      case 'nobody':
        return leave('expired');
      case 'open':
        if (Date.now() - current.openedAt < RENEW_AFTER) return leave('expired');
        current = { state: 'opening', user: current.user };
        return renew();
      case 'opening':
        return renew();
      default:
        current satisfies never;
    }
  }

  async function fromForm(identify: (identity: Identity) => Promise<IdentityUser>): Promise<void> {
    forms += 1;
    try {
      // Safari opens Google's sign-in window only in the same event-loop turn as the click. A provider that is already
      // loaded must therefore be called before anything is awaited.
      await open(begin(await (loaded ? identify(loaded) : provider().then(identify))));
    } finally {
      forms -= 1;
    }
  }

  return {
    start() {
      const listener = addListener({ actionCreator: sessionRefused, effect: refused });
      const unsubscribe = store.dispatch(listener) as unknown as UnsubscribeListener;
      if (storage.getItem(ACCESS_TOKEN_KEY) === null) store.dispatch(signedOut({ reason: 'visitor' }));
      else restore();
      return () => {
        unsubscribe();
        clearTimeout(renewal);
      };
    },
    prepare() {
      // If loading fails here, the form that needs the provider loads it again and shows any error.
      provider().catch(() => undefined);
    },
    signIn: (email, password) => fromForm((provided) => provided.signIn(email, password)),
    async register(registration) {
      let problem: unknown = null;
      await fromForm(async (provided) => {
        const registered = await provided.register(registration);
        problem = registered.problem;
        return registered.user;
      });
      return { problem };
    },
    signInWithGoogle: (demoAccount) => fromForm((provided) => provided.signInWithGoogle(demoAccount)),
    async sendPasswordReset(email) {
      await (await provider()).sendPasswordReset(email);
    },
    retry() {
      // If the provider didn't load, there is no sign-in to retry yet, so load the provider first.
      if (current.state === 'nobody') restore();
      else void openQuietly(current.user);
    },
    signOut: leave,
  };
}

const SessionContext = createContext<SessionKeeper | null>(null);

export const SessionProvider = SessionContext.Provider;

/** Returns the session keeper, which signs users in and out, registers them and resets passwords. */
export function useSessionKeeper(): SessionKeeper {
  const keeper = useContext(SessionContext);
  if (keeper === null) throw new Error('useSessionKeeper() was called outside a SessionProvider.');
  return keeper;
}
