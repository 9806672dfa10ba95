/** A user who is signed in at the identity provider. */
export interface IdentityUser {
  email: string;
  /** the profile's name, or '' */
  name: string;
  /** With `fresh`, requests a new token from the provider even if the cached one is still valid. */
  idToken(fresh: boolean): Promise<string>;
}

export interface Registration {
  username: string;
  email: string;
  password: string;
}

/** What the shop needs from an identity provider. Methods reject with the provider's own errors. */
export interface Identity {
  /** Calls back once with the restored user or null, then on each sign-in, sign-out and new token. */
  onUserChanged(listener: (user: IdentityUser | null) => void): () => void;
  signIn(email: string, password: string): Promise<IdentityUser>;
  /**
   * Creates the account, sets its profile name and sends the verification email. `problem` is what failed after the
   * account was created, or null.
   */
  register(registration: Registration): Promise<{ user: IdentityUser; problem: unknown }>;
  /** Opens Google's own window. In the demo shop, `demoAccount` is used instead of an account chosen there. */
  signInWithGoogle(demoAccount?: { name: string; email: string }): Promise<IdentityUser>;
  sendPasswordReset(email: string): Promise<void>;
  signOut(): Promise<void>;
}

/** The provider's errors that end a session for good. */
const ENDED = new Set([
  'auth/invalid-refresh-token',
  'auth/user-disabled',
  'auth/user-not-found',
  'auth/user-token-expired',
]);

export function endsSession(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && ENDED.has(error.code);
}
