/** A person's current data at the identity provider. `email` is trimmed and lower-cased. */
export interface VerifiedPerson {
  uid: string;
  email: string;
  emailVerified: boolean;
  /** the display name, or the local part of the e-mail address if the account has no display name */
  name: string;
  /** when the ID token's session began, in ms since the epoch */
  signedInAt: number;
}

export interface ProviderAccount {
  /** the e-mail address, trimmed and lower-cased; null if the account has no valid e-mail address */
  email: string | null;
  emailVerified: boolean;
  disabled: boolean;
  /**
   * A time in ms since the epoch. Sessions that began earlier are revoked, because the user has since signed out
   * everywhere or changed the password.
   */
  sessionsValidFrom: number;
}

export interface IdentityProvider {
  /**
   * Verifies that an ID token is genuine, unexpired and not revoked, and returns the current data of its account.
   * @throws IdTokenRefused, IdentityUnavailable
   */
  verifyIdToken(token: string): Promise<VerifiedPerson>;
  /** Returns the accounts with these uids, keyed by uid. Uids without an account are left out. @throws IdentityUnavailable */
  accounts(uids: readonly string[]): Promise<ReadonlyMap<string, ProviderAccount>>;
  /** Deletes an account, or does nothing if it doesn't exist. @throws IdentityUnavailable */
  deleteAccount(uid: string): Promise<void>;
}

export type IdTokenRefusal = 'malformed' | 'expired' | 'revoked' | 'disabled' | 'unknown_user' | 'no_email';

export class IdTokenRefused extends Error {
  override readonly name = 'IdTokenRefused';
  readonly reason: IdTokenRefusal;

  constructor(reason: IdTokenRefusal, options?: ErrorOptions) {
    super(`The ID token was refused: ${reason}.`, options);
    this.reason = reason;
  }
}

/** The identity provider failed or didn't respond, so the result of the call is unknown. The caller may retry later. */
export class IdentityUnavailable extends Error {
  override readonly name = 'IdentityUnavailable';

  constructor(options?: ErrorOptions) {
    super('The identity provider is unavailable.', options);
  }
}
