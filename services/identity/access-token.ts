import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { emailSchema } from '../contracts/http.ts';
import { idSchema } from '../contracts/ids.ts';
import type { Clock } from '../runtime/clock.ts';
import type { VerifiedPerson } from './identity-provider.ts';

/** How long an access token holds, in milliseconds. */
export const ACCESS_TOKEN_LIFETIME = 3_600_000;

const ISSUER = 'micro-center';
const AUDIENCE = 'micro-center-api';
/** RFC 9068: keeps every other kind of JWT from being taken for an access token. */
const TYPE = 'at+jwt';

const accessClaimsSchema = z.object({
  /** the user's id, which is also the id of that user's stream */
  sub: idSchema,
  email: emailSchema,
  /** the identity provider's id of the account */
  uid: z.string().min(1).max(128),
  emailVerified: z.boolean(),
  name: z.string(),
  /** when the session at the provider began (OpenID Connect), in seconds; tokens of older versions have none */
  auth_time: z.number().int().nonnegative().optional(),
});
type AccessClaims = z.infer<typeof accessClaimsSchema>;

const timesSchema = z.object({ exp: z.number().int(), iat: z.number().int() });

/** Times in milliseconds since the epoch; `signedInAt` is when the session at the provider began. */
export type AccessTokenCheck =
  | { ok: true; claims: Omit<AccessClaims, 'auth_time'>; signedInAt: number; expiresAt: number }
  | { ok: false; reason: 'expired' | 'invalid' };

/** An access token of this API for a person whose ID token was just verified. `expiresAt` in ms since the epoch. */
export async function mintAccessToken(input: {
  /** at least 32 bytes */
  secret: string;
  clock: Clock;
  person: VerifiedPerson;
  userId: string;
}): Promise<{ token: string; expiresAt: number }> {
  const { person } = input;
  const issuedAt = Math.floor(input.clock() / 1000);
  const expiresAt = issuedAt + ACCESS_TOKEN_LIFETIME / 1000;
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
    .setExpirationTime(expiresAt)
    .sign(keyOf(input.secret));
  return { token, expiresAt: expiresAt * 1000 };
}

/** Checks an access token; a token that is no good is a value, not an error. */
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
    const times = timesSchema.safeParse(payload);
    if (!claims.success || !times.success) return { ok: false, reason: 'invalid' };
    const { auth_time = times.data.iat, ...known } = claims.data;
    return { ok: true, claims: known, signedInAt: auth_time * 1000, expiresAt: times.data.exp * 1000 };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { ok: false, reason: 'expired' };
    if (error instanceof errors.JOSEError) return { ok: false, reason: 'invalid' };
    throw error;
  }
}

/** Tokens remembered as verified, so that a caller's every request does not check the same signature again. */
const REMEMBERED = 10_000;

/** verifyAccessToken for one secret, remembering the tokens that passed until they run out. */
export function createAccessTokenVerifier(input: {
  secret: string;
  clock: Clock;
}): (token: string) => Promise<AccessTokenCheck> {
  const passed = new LRUCache<string, Extract<AccessTokenCheck, { ok: true }>>({ max: REMEMBERED });
  return async (token) => {
    const known = passed.get(token);
    if (known && input.clock() < known.expiresAt) return known;
    passed.delete(token);
    const checked = await verifyAccessToken({ ...input, token });
    if (checked.ok) passed.set(token, checked);
    return checked;
  };
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
