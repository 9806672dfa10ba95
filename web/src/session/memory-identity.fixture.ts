import type { Identity, IdentityUser } from './identity.ts';

interface Account {
  email: string;
  password: string;
  name: string;
}

/** Returns an error like the ones that Firebase throws. */
export function providerError(code: string): Error {
  return Object.assign(new Error(`Firebase: Error (${code}).`), { code });
}

export interface MemoryIdentity extends Identity {
  accounts: Account[];
  /** the e-mails that were sent, as `kind:address` */
  mails: string[];
  signedInAs(): string | null;
  /**
   * the error with which every request for a fresh token fails, or a promise that resolves to this error. If null, the
   * requests succeed.
   */
  refuseTokens: Error | Promise<Error> | null;
  /** how many fresh tokens were issued */
  renewals: number;
}

/**
 * An in-memory identity provider. `kept` is the e-mail address of the user who was already signed in when the page was
 * opened.
 */
export function memoryIdentity(options: { accounts?: Account[]; kept?: string } = {}): MemoryIdentity {
  const accounts = options.accounts ?? [
    { email: 'rina@micro-center.test', password: 'good-password', name: 'Rina Akter' },
    { email: 'admin@micro-center.test', password: 'good-password', name: 'Farhana Rahman' },
  ];
  let current: Account | null = accounts.find(({ email }) => email === options.kept) ?? null;
  const listeners = new Set<(user: IdentityUser | null) => void>();

  function tell(): void {
    for (const listener of listeners) listener(current === null ? null : userOf(current));
  }

  function userOf({ email, name }: Account): IdentityUser {
    return {
      email,
      name,
      async idToken(fresh) {
        if (fresh) {
          if (identity.refuseTokens !== null) throw await identity.refuseTokens;
          identity.renewals += 1;
          tell();
        }
        return `id-token:${email}:${name}:${identity.renewals}`;
      },
    };
  }

  function enter(account: Account): IdentityUser {
    current = account;
    tell();
    return userOf(account);
  }

  const identity: MemoryIdentity = {
    accounts,
    mails: [],
    refuseTokens: null,
    renewals: 0,
    signedInAs: () => current?.email ?? null,
    onUserChanged(listener) {
      listeners.add(listener);
      queueMicrotask(() => listener(current === null ? null : userOf(current)));
      return () => void listeners.delete(listener);
    },
    async signIn(email, password) {
      const account = accounts.find((known) => known.email === email && known.password === password);
      if (account === undefined) throw providerError('auth/invalid-credential');
      return enter(account);
    },
    async register({ username, email, password }) {
      if (accounts.some((known) => known.email === email)) throw providerError('auth/email-already-in-use');
      const account = { email, password, name: username };
      accounts.push(account);
      identity.mails.push(`verification:${email}`);
      return { user: enter(account), problem: null };
    },
    async signInWithGoogle(demoAccount) {
      if (demoAccount === undefined) throw providerError('auth/popup-closed-by-user');
      return enter({ ...demoAccount, password: '' });
    },
    async sendPasswordReset(email) {
      identity.mails.push(`reset:${email}`);
    },
    async signOut() {
      current = null;
      tell();
    },
  };
  return identity;
}
