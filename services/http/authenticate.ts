import type { CommandHandler } from '../engine/commands/command-handler.ts';
import { createAccessTokenVerifier } from '../identity/access-token.ts';
import type { IdentityProvider, VerifiedPerson } from '../identity/identity-provider.ts';
import { createSessionWatch } from '../identity/session-watch.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import { userDecider } from '../shop/user/decide-user.ts';
import { unauthenticated } from './problem-details.ts';

/** Who the access token says calls (AUTH1), with the role that their own stream has now (AUTH2). */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly token: string;
  /** ms since the epoch */
  readonly expiresAt: number;
  readonly role: 'admin' | 'customer';
  /** the e-mail is verified, or need not be in demo mode */
  readonly emailVerified: boolean;
  /** would be an admin, were the e-mail verified (AUTH5) */
  readonly unverifiedAdmin: boolean;
}

/** Who signs in: somebody that the identity provider vouches for, or a caller who has an access token already. */
export type SignIn =
  | { readonly by: 'id-token'; readonly person: VerifiedPerson }
  | { readonly by: 'access-token'; readonly caller: Caller };

export interface Authenticator {
  /** The caller of an access token; null where it is of no use. */
  caller(token: string): Promise<Caller | null>;
  /** Takes an access token or an ID token. @throws IdTokenRefused, IdentityUnavailable, RequestRefused */
  signIn(token: string): Promise<SignIn>;
}

export interface AuthenticatorSettings {
  readonly handler: Pick<CommandHandler, 'load'>;
  readonly identity: IdentityProvider;
  readonly accessTokenSecret: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** demo mode alone: e-mails need not be verified to be an admin's (AUTH5) */
  readonly trustsUnverifiedEmails: boolean;
}

/** Turns bearers into callers. The gateway takes it as well, so that a socket and a request are told apart by one rule. */
export function createAuthenticator(settings: AuthenticatorSettings): Authenticator {
  const { handler, identity, accessTokenSecret: secret, clock, trustsUnverifiedEmails } = settings;
  const verify = createAccessTokenVerifier({ secret, clock });
  const sessions = createSessionWatch({ identity, clock, logger: settings.logger });

  async function check(token: string): Promise<Caller | 'expired' | 'invalid'> {
    const checked = await verify(token);
    if (!checked.ok) return checked.reason;
    const { sub: userId, email, uid, emailVerified } = checked.claims;
    const [{ state }, goesOn] = await Promise.all([
      handler.load(userDecider, userId),
      sessions.goesOn({ uid, signedInAt: checked.signedInAt }),
    ]);
    if (state.status !== 'registered' || state.uid !== uid || !goesOn) return 'invalid';
    const trusted = emailVerified || trustsUnverifiedEmails;
    const role = state.admin && trusted ? 'admin' : 'customer';
    const { expiresAt } = checked;
    return { userId, email, token, expiresAt, role, emailVerified: trusted, unverifiedAdmin: state.admin && !trusted };
  }

  return {
    async caller(token) {
      const caller = await check(token);
      return typeof caller === 'string' ? null : caller;
    },
    async signIn(token) {
      const caller = await check(token);
      // An access token that has run out needs no asking at the provider, which would take it for a forgery.
      if (caller === 'expired') throw unauthenticated();
      if (caller !== 'invalid') return { by: 'access-token', caller };
      return { by: 'id-token', person: await identity.verifyIdToken(token) };
    },
  };
}

/** The bearer of an Authorization header (RFC 6750). @throws RequestRefused 401 where there is none */
export function bearerOf(authorization: string | undefined): string {
  const token = authorization?.match(/^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i)?.[1];
  if (token === undefined || token.length > 8192) throw unauthenticated();
  return token;
}
