import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { idSchema } from '../contracts/ids.ts';
import { emailSchema } from '../contracts/request-fields.ts';
import type { Clock } from '../runtime/clock.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import type { VerifiedPerson } from './identity-provider.ts';

export const ACCESS_TOKEN_LIFETIME_MS = 3_600_000;

const ISSUER = 'micro-center';
const AUDIENCE = 'micro-center-api';
/** The token type for access tokens (RFC 9068). Checking it prevents other kinds of JWT from being accepted as access tokens. */
const TYPE = 'at+jwt';

const accessClaimsSchema = z.object({
  sub: idSchema,
  email: emailSchema,
  uid: z.string().min(1).max(128),
  emailVerified: z.boolean(),
  name: z.string(),
  /** when the session at the identity provider began, in seconds since the epoch */
  auth_time: z.number().int().nonnegative(),
  exp: z.number().int(),
  iat: z.number().int(),
});
type AccessClaims = z.infer<typeof accessClaimsSchema>;

/** Times are in ms since the epoch. `signedInAt` is when the session at the identity provider began. */
export type AccessTokenCheck =
  | { ok: true; claims: Omit<AccessClaims, 'auth_time' | 'exp' | 'iat'>; signedInAt: number; tokenExpiresAt: number }
  | { ok: false; reason: 'expired' | 'invalid' };

/** Signs an access token for a person whose ID token was just verified. `tokenExpiresAt` is in ms since the epoch. */
export async function mintAccessToken(input: {
  secret: string;
  clock: Clock;
  person: VerifiedPerson;
  userId: string;
}): Promise<{ token: string; tokenExpiresAt: number }> {
  const { person } = input;
  const issuedAt = Math.floor(input.clock() / 1000);
  const exp = issuedAt + ACCESS_TOKEN_LIFETIME_MS / 1000;
  const token = await new SignJWT({
    email: person.email,
    uid: person.uid,
    emailVerified: person.emailVerified,
    name: person.name,
    auth_time: Math.floor(person.signedInAt / 1000),
  })
    .setProtectedHeader({ alg: 'HS256', typ: TYPE })
    .setSubject(input.userId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(exp)
    .sign(keyOf(input.secret));
  return { token, tokenExpiresAt: exp * 1000 };
}

export async function verifyAccessToken(input: {
  secret: string;
  clock: Clock;
  token: string;
}): Promise<AccessTokenCheck> {
  try {
    const { payload } = await jwtVerify(input.token, keyOf(input.secret), {
      algorithms: ['HS256'],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      currentDate: new Date(input.clock()),
      requiredClaims: ['exp', 'iat'],
    });
    const claims = accessClaimsSchema.safeParse(payload);
    if (!claims.success) return { ok: false, reason: 'invalid' };
    const { iat: _, exp, auth_time, ...known } = claims.data;
    return { ok: true, claims: known, signedInAt: auth_time * 1000, tokenExpiresAt: exp * 1000 };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { ok: false, reason: 'expired' };
    if (error instanceof errors.JOSEError) return { ok: false, reason: 'invalid' };
    throw error;
  }
}

/** Issues and checks the access tokens of a shop. */
export interface AccessTokens {
  /** Signs an access token for a person whose ID token was just verified. `tokenExpiresAt` is in ms since the epoch. */
  mint(person: VerifiedPerson, userId: string): Promise<{ readonly token: string; readonly tokenExpiresAt: number }>;
  verify(token: string): Promise<AccessTokenCheck>;
}

/** Valid tokens are cached, so that their signatures aren't checked on every request. */
export function createAccessTokens({
  secret,
  clock,
}: {
  readonly secret: string;
  readonly clock: Clock;
}): AccessTokens {
  const passed = createLruCache<string, Extract<AccessTokenCheck, { ok: true }>>(10_000);
  return {
    mint: (person, userId) => mintAccessToken({ secret, clock, person, userId }),
    async verify(token) {
      const known = passed.get(token);
      if (known && clock() < known.tokenExpiresAt) return known;
      passed.delete(token);
      const checked = await verifyAccessToken({ secret, clock, token });
      if (checked.ok) passed.set(token, checked);
      return checked;
    },
  };
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
