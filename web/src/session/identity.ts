/** A user who is signed in with the identity provider. */
export interface IdentityUser {
  email: string;
  /** the name in the user's profile, or '' if there is none */
  name: string;
  /**
   * Returns an ID token. If `fresh` is true, gets a new token from the provider even if the cached one is still valid.
   */
  idToken(fresh: boolean): Promise<string>;
}

export interface Registration {
  username: string;
  email: string;
  password: string;
}

/** The operations that the shop needs from an identity provider. They reject with the provider's own errors. */
export interface Identity {
  /**
   * Calls `listener` once with the restored user or null, and then on each sign-in, sign-out and new token. Returns a
   * function that unsubscribes the listener.
   */
  onUserChanged(listener: (user: IdentityUser | null) => void): () => void;
  signIn(email: string, password: string): Promise<IdentityUser>;
  /**
   * Creates the account, sets its profile name and sends the verification e-mail. `problem` is the error of a step that
   * failed after the account was created, or null.
   */
  register(registration: Registration): Promise<{ user: IdentityUser; problem: unknown }>;
  /** Opens Google's sign-in window. In the demo shop, signs in with `demoAccount` instead. */
  signInWithGoogle(demoAccount?: { name: string; email: string }): Promise<IdentityUser>;
  sendPasswordReset(email: string): Promise<void>;
  signOut(): Promise<void>;
}

/** The provider's error codes that end a session permanently. */
const ENDED = new Set([
  'auth/invalid-refresh-token',
  'auth/user-disabled',
  'auth/user-not-found',
  'auth/user-token-expired',
]);

export function endsSession(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && ENDED.has(error.code);
}
