import { type IdentityProvider, IdentityUnavailable, IdTokenRefused } from '../../identity/identity-provider.ts';
import type { Dice } from './dice.ts';
import { throughNetwork } from './network.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

interface Account {
  readonly email: string;
  readonly name: string;
  emailVerified: boolean;
  sessionsValidFrom: number;
}

/**
 * A simulated identity provider. Its ID tokens aren't signed: each token contains the account's uid and the sign-in
 * time in plain text.
 */
export interface SimulatedIdentity {
  connect(process: SimulatedProcess, onCrash: () => void): IdentityProvider;
  /** Returns the uid of the account with this e-mail address, and creates the account if there is none. */
  signUp(email: string): string;
  /** Signs a person in. Returns an ID token, or null if the account doesn't exist. */
  signIn(uid: string): string | null;
  /** Ends all sessions of an account. */
  signOutEverywhere(uid: string): void;
  deleteAccount(uid: string): void;
  hasAccount(uid: string): boolean;
  changeEmail(uid: string, email: string): void;
  /** the e-mail addresses that an account has had, each with the time until which it had the address */
  emailsOf(uid: string): readonly { readonly email: string; readonly until: number }[];
}

export function createSimulatedIdentity(world: World, dice: Dice): SimulatedIdentity {
  const accounts = new Map<string, Account>();
  /** the former e-mail addresses of each account, including those of deleted accounts */
  const former = new Map<string, { email: string; until: number }[]>();

  function noteFormer(uid: string): void {
    const account = accounts.get(uid);
    if (account) former.set(uid, [...(former.get(uid) ?? []), { email: account.email, until: now() }]);
  }
  const now = () => world.time.now();

  const provider: Omit<IdentityProvider, 'close'> = {
    async verifyIdToken(token) {
      const [uid = '', signedInAt = '0'] = token.split('.');
      const account = accounts.get(uid);
      if (!account) throw new IdTokenRefused('unknown_user');
      if (Number(signedInAt) < account.sessionsValidFrom) throw new IdTokenRefused('revoked');
      const { email, name, emailVerified } = account;
      return { uid, email, name, emailVerified, signedInAt: Number(signedInAt) };
    },
    async accounts(uids) {
      const found = uids.flatMap((uid) => {
        const account = accounts.get(uid);
        return account ? [[uid, { ...account, disabled: false }] as const] : [];
      });
      return new Map(found);
    },
    async deleteAccount(uid) {
      noteFormer(uid);
      accounts.delete(uid);
    },
  };

  return {
    connect(process, onCrash) {
      const remote = throughNetwork(world.linkOf(process, 'identity', onCrash), provider);
      const translated = Object.entries(remote).map(
        ([name, method]: [string, (...args: never[]) => Promise<unknown>]) => [
          name,
          async (...args: never[]) => {
            try {
              return await method(...args);
            } catch (error) {
              throw error instanceof IdTokenRefused ? error : new IdentityUnavailable({ cause: error });
            }
          },
        ],
      );
      return Object.fromEntries(translated) as IdentityProvider;
    },
    signUp(email) {
      const known = [...accounts].find(([, account]) => account.email === email);
      if (known) return known[0];
      const uid = dice.id();
      accounts.set(uid, { email, name: 'Somebody', emailVerified: true, sessionsValidFrom: 0 });
      return uid;
    },
    signIn: (uid) => (accounts.has(uid) ? `${uid}.${now()}` : null),
    signOutEverywhere(uid) {
      const account = accounts.get(uid);
      if (account) account.sessionsValidFrom = now();
    },
    deleteAccount(uid) {
      noteFormer(uid);
      accounts.delete(uid);
    },
    hasAccount: (uid) => accounts.has(uid),
    changeEmail(uid, email) {
      const account = accounts.get(uid);
      if (!account) return;
      noteFormer(uid);
      accounts.set(uid, { ...account, email });
    },
    emailsOf(uid) {
      const account = accounts.get(uid);
      const current = account ? [{ email: account.email, until: Number.POSITIVE_INFINITY }] : [];
      return [...(former.get(uid) ?? []), ...current];
    },
  };
}
