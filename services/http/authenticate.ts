import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { AccessTokens } from '../identity/access-token.ts';
import type { Accounts } from '../identity/accounts.ts';
import type { VerifiedPerson } from '../identity/identity-provider.ts';
import { createSessionWatch } from '../identity/session-watch.ts';
import { isLoopback } from '../runtime/own-host.ts';
import type { Schedule } from '../runtime/schedule.ts';
import type { ApiDependencies } from './dependencies.ts';
import { unauthenticated } from './problem-details.ts';

/** The user that an access token identifies (AUTH1), with the current role from that user's stream (AUTH2). */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly token: string;
  readonly tokenExpiresAt: number;
  readonly role: 'admin' | 'customer';
  /** whether the e-mail address counts as verified; in demo mode, every address does */
  readonly emailVerified: boolean;
  /** true if verifying the e-mail address would make this user an admin (AUTH5) */
  readonly unverifiedAdmin: boolean;
}

export type SignIn =
  | { readonly by: 'id-token'; readonly person: VerifiedPerson }
  | { readonly by: 'access-token'; readonly caller: Caller };

export interface Authenticator {
  /** Returns the caller that an access token identifies, or null if the token isn't valid. */
  caller(token: string): Promise<Caller | null>;
  /**
   * Returns the caller that an access token identifies, or the person that an ID token identifies.
   * @throws IdTokenRefused, IdentityUnavailable, RequestRefused
   */
  signIn(token: string): Promise<SignIn>;
}

interface AuthenticatorSettings extends Pick<ApiDependencies, 'identity' | 'clock' | 'logger'> {
  readonly accessTokens: Pick<AccessTokens, 'verify'>;
  readonly accounts: Pick<Accounts, 'find'>;
  readonly schedule?: Schedule;
}

/** Creates the authenticator. `trustsUnverifiedEmails` is true only in demo mode (AUTH5). */
export function createAuthenticator(
  { accounts, identity, accessTokens, clock, logger, schedule }: AuthenticatorSettings,
  { trustsUnverifiedEmails }: { readonly trustsUnverifiedEmails: boolean },
): Authenticator {
  const sessions = createSessionWatch({ identity, clock, logger, schedule });

  async function check(token: string): Promise<Caller | 'expired' | 'invalid'> {
    const checked = await accessTokens.verify(token);
    if (!checked.ok) return checked.reason;
    const { sub: userId, email, uid, emailVerified } = checked.claims;
    const [account, sessionActive] = await Promise.all([
      accounts.find(userId),
      sessions.isActive({ uid, signedInAt: checked.signedInAt }),
    ]);
    if (account?.uid !== uid || !sessionActive) return 'invalid';
    const trusted = emailVerified || trustsUnverifiedEmails;
    const role = account.admin && trusted ? 'admin' : 'customer';
    const { tokenExpiresAt } = checked;
    return {
      userId,
      email,
      token,
      tokenExpiresAt,
      role,
      emailVerified: trusted,
      unverifiedAdmin: account.admin && !trusted,
    };
  }

  return {
    async caller(token) {
      const caller = await check(token);
      return typeof caller === 'string' ? null : caller;
    },
    async signIn(token) {
      const caller = await check(token);
      // Expired access tokens are refused here, because the identity provider would mistake them for forged ID tokens.
      if (caller === 'expired') throw unauthenticated();
      if (caller !== 'invalid') return { by: 'access-token', caller };
      return { by: 'id-token', person: await identity.verifyIdToken(token) };
    },
  };
}

/**
 * Returns the bearer token of an Authorization header (RFC 6750).
 * @throws RequestRefused 401 if the header has no well-formed token
 */
export function bearerOf(authorization: string | undefined): string {
  const token = authorization?.match(/^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i)?.[1];
  if (token === undefined || token.length > 8192) throw unauthenticated();
  return token;
}

/**
 * Returns whether a request comes from the shop's operator. The request must either contain METRICS_TOKEN, or come from
 * a loopback address without having passed through an untrusted proxy. If untrusted proxies were accepted, all requests
 * that an unknown proxy on this machine forwards would seem to come from the operator.
 */
export function isOperator(request: Request, token: string | null): boolean {
  const forwarded = request.get('x-forwarded-for')?.split(',').length ?? 0;
  const trusted: unknown = request.app.get('trust proxy');
  const unknownProxy = forwarded > (typeof trusted === 'number' ? trusted : 0);
  if (!unknownProxy && isLoopback(request.ip ?? '')) return true;
  const [scheme, given] = request.get('authorization')?.split(' ') ?? [];
  return token !== null && scheme?.toLowerCase() === 'bearer' && isSameSecret(given ?? '', token);
}

function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
