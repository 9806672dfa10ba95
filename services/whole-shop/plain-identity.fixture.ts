import { type IdentityProvider, IdTokenRefused } from '../identity/identity-provider.ts';

/**
 * Returns an ID token that `plainIdentity` accepts: `plain.` followed by the e-mail address in base64url. Tests that
 * use this token don't need an identity emulator.
 */
export function plainIdToken(email: string): string {
  return `plain.${Buffer.from(email).toString('base64url')}`;
}

/** `plainIdentity` treats e-mail addresses with this ending as unverified. */
export const UNVERIFIED = '@unverified.test';

/**
 * An identity provider for tests that aren't about sign-in. An e-mail address counts as verified unless it ends with
 * UNVERIFIED.
 */
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
