import { type IdentityProvider, IdTokenRefused } from '../identity/identity-provider.ts';

/**
 * Returns an ID token for `plainIdentity`: `plain.` followed by the e-mail in base64url. Tests that use this token need
 * no emulator.
 */
export function plainIdToken(email: string): string {
  return `plain.${Buffer.from(email).toString('base64url')}`;
}

/** `plainIdentity` treats e-mails with this ending as unverified. */
export const UNVERIFIED = '@unverified.test';

/** An identity provider for tests that aren't about sign-in. E-mails count as verified unless they end with UNVERIFIED. */
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
