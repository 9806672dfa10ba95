import { type IdentityProvider, IdTokenRefused } from '../identity/identity-provider.ts';

/** An ID token that the plain identity takes: the e-mail itself, so that tests need no emulator. */
export function plainIdToken(email: string): string {
  return `plain.${Buffer.from(email).toString('base64url')}`;
}

/** What the e-mails end with that the plain identity does not vouch for. */
export const UNVERIFIED = '@unverified.test';

/** An identity provider for tests that are not about signing in: it vouches for whatever other e-mail a plain token names. */
export const plainIdentity: IdentityProvider = {
  async verifyIdToken(token) {
    const [kind, encoded] = token.split('.');
    if (kind !== 'plain' || !encoded) throw new IdTokenRefused('malformed');
    const email = Buffer.from(encoded, 'base64url').toString();
    const emailVerified = !email.endsWith(UNVERIFIED);
    return { uid: `uid-${encoded}`, email, emailVerified, name: email.split('@')[0] ?? '', signedInAt: 0 };
  },
  async accounts(uids) {
    const account = (uid: string) => {
      const email = Buffer.from(uid.slice('uid-'.length), 'base64url').toString();
      return { email, emailVerified: !email.endsWith(UNVERIFIED), disabled: false, sessionsValidFrom: 0 };
    };
    return new Map(uids.filter((uid) => uid.startsWith('uid-')).map((uid) => [uid, account(uid)]));
  },
  async deleteAccount() {},
};
