import { type IdentityProvider, IdTokenRefused, type ProviderAccount } from './identity-provider.ts';

/** Returns an in-memory identity provider whose accounts a test can change. An account's ID token is its uid. */
export function createPeople() {
  const accounts = new Map<string, ProviderAccount & { email: string }>();
  const identity: IdentityProvider = {
    async verifyIdToken(uid) {
      const account = accounts.get(uid);
      if (!account) throw new IdTokenRefused('unknown_user');
      const { email, emailVerified, sessionsValidFrom: signedInAt } = account;
      return { uid, email, emailVerified, name: email.split('@')[0] ?? '', signedInAt };
    },
    async deleteAccount(uid) {
      accounts.delete(uid);
    },
    async accounts(uids) {
      return new Map(
        uids.flatMap((uid) => {
          const account = accounts.get(uid);
          return account ? [[uid, account]] : [];
        }),
      );
    },
  };
  return {
    identity,
    accounts,
    /** Creates or replaces an account. */
    put(uid: string, email: string, change: Partial<ProviderAccount> = {}): void {
      accounts.set(uid, { emailVerified: true, disabled: false, sessionsValidFrom: 0, ...change, email });
    },
  };
}
