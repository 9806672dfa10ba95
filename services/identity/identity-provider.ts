/** A person as the provider knows them now. `email` is trimmed and lower-cased. */
export interface VerifiedPerson {
  uid: string;
  email: string;
  emailVerified: boolean;
  /** the display name, or else the local part of the e-mail */
  name: string;
  /** when the session of the ID token began, in ms since the epoch */
  signedInAt: number;
}

export interface ProviderAccount {
  /** trimmed and lower-cased; null where it has none */
  email: string | null;
  emailVerified: boolean;
  disabled: boolean;
  /** sessions that began before this were ended (signed out everywhere, new password); ms since the epoch */
  sessionsValidFrom: number;
}

export interface IdentityProvider {
  /** Verifies that an ID token is genuine, unexpired and not revoked. @throws IdTokenRefused, IdentityUnavailable */
  verifyIdToken(token: string): Promise<VerifiedPerson>;
  /** Returns accounts by uid, without those that are gone. @throws IdentityUnavailable */
  accounts(uids: readonly string[]): Promise<ReadonlyMap<string, ProviderAccount>>;
  /** Idempotent. @throws IdentityUnavailable */
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

/** The provider did not answer, so nothing is known of the token: try again later. */
export class IdentityUnavailable extends Error {
  override readonly name = 'IdentityUnavailable';

  constructor(options?: ErrorOptions) {
    super('The identity provider could not be asked.', options);
  }
}
