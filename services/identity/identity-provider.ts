/** A person as the identity provider knows them now. `email` is trimmed and lower-cased. */
export interface VerifiedPerson {
  uid: string;
  email: string;
  emailVerified: boolean;
  /** the display name, or what stands before the @ where none was given */
  name: string;
  /** when the session of the ID token began, to the second; ms since the epoch */
  signedInAt: number;
}

/** An account as the identity provider keeps it now. */
export interface ProviderAccount {
  /** trimmed and lower-cased; null where it has none */
  email: string | null;
  emailVerified: boolean;
  disabled: boolean;
  /**
   * Every session that began before this second has been ended (signed out everywhere, a new password); ms since the
   * epoch.
   */
  sessionsValidFrom: number;
}

/** Who signed in, as an identity provider vouches for it. */
export interface IdentityProvider {
  /**
   * The person of an ID token that is genuine, unexpired and not revoked.
   * @throws IdTokenRefused when the token is no proof of who the caller is
   * @throws IdentityUnavailable when the provider could not be asked
   */
  verifyIdToken(token: string): Promise<VerifiedPerson>;
  /**
   * The accounts of these uids by uid, asked for in as few calls as the provider allows; one that is gone is left out.
   * @throws IdentityUnavailable
   */
  accounts(uids: readonly string[]): Promise<ReadonlyMap<string, ProviderAccount>>;
  /** Deletes an account, also one that is gone already. @throws IdentityUnavailable */
  deleteAccount(uid: string): Promise<void>;
}

export type IdTokenRefusal = 'malformed' | 'expired' | 'revoked' | 'disabled' | 'unknown_user' | 'no_email';

/** The token proves nothing: the caller must sign in again. */
export class IdTokenRefused extends Error {
  override readonly name = 'IdTokenRefused';
  readonly reason: IdTokenRefusal;

  constructor(reason: IdTokenRefusal, options?: ErrorOptions) {
    super(`The ID token was refused: ${reason}.`, options);
    this.reason = reason;
  }
}

/** The provider did not answer, so the token is neither good nor bad: try again later. */
export class IdentityUnavailable extends Error {
  override readonly name = 'IdentityUnavailable';

  constructor(options?: ErrorOptions) {
    super('The identity provider could not be asked.', options);
  }
}
