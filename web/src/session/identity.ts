/** Somebody whom the identity provider has signed in. */
export interface IdentityUser {
  email: string;
  /** the profile's name, or '' */
  name: string;
  /** `fresh` asks the provider again, even where the kept token is still good. */
  idToken(fresh: boolean): Promise<string>;
}

export interface Registration {
  username: string;
  email: string;
  password: string;
}

/** What the shop needs of an identity provider. Every method rejects with the provider's own error. */
export interface Identity {
  /** Calls back once with whoever was kept from last time, then on each sign-in, sign-out and new token. */
  onUserChanged(listener: (user: IdentityUser | null) => void): () => void;
  signIn(email: string, password: string): Promise<IdentityUser>;
  /**
   * Makes the account, sets its profile name and sends the verification mail. `problem` is what failed after the account
   * was made, or null.
   */
  register(registration: Registration): Promise<{ user: IdentityUser; problem: unknown }>;
  /** Google's own window; in the demo shop `demoAccount` stands for who was chosen there. */
  signInWithGoogle(demoAccount?: { name: string; email: string }): Promise<IdentityUser>;
  sendPasswordReset(email: string): Promise<void>;
  signOut(): Promise<void>;
}

/** The provider's errors that end a sign-in for good: the account or its session is no more. */
const ENDED = new Set([
  'auth/invalid-refresh-token',
  'auth/user-disabled',
  'auth/user-not-found',
  'auth/user-token-expired',
]);

export function endsSession(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && ENDED.has(error.code);
}
