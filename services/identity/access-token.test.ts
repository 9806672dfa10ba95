import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { ACCESS_TOKEN_LIFETIME_MS, createAccessTokens, mintAccessToken, verifyAccessToken } from './access-token.ts';

const secret = 'a secret of thirty-two bytes at least';
const now = 1_800_000_000_000;
const userId = 'ab'.repeat(16);
const signedInAt = now - 1_800_000;
const person = {
  uid: 'uid-1',
  email: 'nusrat@micro-center.test',
  emailVerified: true,
  name: 'Nusrat Jahan',
  signedInAt,
};
const claims = { email: person.email, uid: person.uid, emailVerified: true, name: person.name };

const mint = () => mintAccessToken({ secret, clock: () => now, person, userId });
const verify = (token: string, at = now) => verifyAccessToken({ secret, clock: () => at, token });

/** Returns a token modified by `change`. Without that change, and with the default header and key, the token would be valid. */
function almost(change: (jwt: SignJWT) => SignJWT, header: { alg?: string; typ?: string } = {}, key = secret) {
  const jwt = new SignJWT({ ...claims, auth_time: signedInAt / 1000 })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header })
    .setSubject(userId)
    .setIssuer('micro-center')
    .setAudience('micro-center-api')
    .setIssuedAt(now / 1000)
    .setExpirationTime(now / 1000 + 60);
  return change(jwt).sign(new TextEncoder().encode(key));
}

describe('access token', () => {
  it('AUTH1 an access token identifies the caller for an hour', async () => {
    const { token, tokenExpiresAt } = await mint();
    expect(tokenExpiresAt).toBe(now + ACCESS_TOKEN_LIFETIME_MS);
    expect(await verify(token)).toEqual({ ok: true, claims: { sub: userId, ...claims }, signedInAt, tokenExpiresAt });
    expect((await verify(token, tokenExpiresAt - 1000)).ok).toBe(true);
    expect(await verify(token, tokenExpiresAt)).toEqual({ ok: false, reason: 'expired' });
  });

  it('AUTH5 the token that the refusal tests alter is accepted if it is left unaltered', async () => {
    expect((await verify(await almost((jwt) => jwt))).ok).toBe(true);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['another secret', () => almost((jwt) => jwt, {}, `${secret}!`)],
    ['another issuer', () => almost((jwt) => jwt.setIssuer('elsewhere'))],
    ['another audience', () => almost((jwt) => jwt.setAudience('elsewhere'))],
    ['another algorithm', () => almost((jwt) => jwt, { alg: 'HS384' })],
    ['another kind of JWT', () => almost((jwt) => jwt, { typ: 'JWT' })],
    ["a subject that isn't a user id", () => almost((jwt) => jwt.setSubject('admin'))],
    ['no signature', () => new UnsecuredJWT(claims).setSubject(userId).setExpirationTime('1h').encode()],
    ["text that isn't a JWT", () => 'garbage'],
    ['nothing', () => ''],
  ])('AUTH5 verifyAccessToken() refuses %s', async (_, make) => {
    expect(await verify(await make())).toEqual({ ok: false, reason: 'invalid' });
  });

  it('AUTH5 an access token with a changed claim is refused', async () => {
    const { token } = await mint();
    const [header, payload, signature] = token.split('.');
    const changed = {
      ...JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()),
      email: 'farhana@micro-center.test',
    };
    const forged = `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
    expect(await verify(forged)).toEqual({ ok: false, reason: 'invalid' });
  });

  it('AUTH1 after an access token has been verified once, a forged copy of the token is still refused and the token still expires', async () => {
    let at = now;
    const { verify: verifyAgain } = createAccessTokens({ secret, clock: () => at });
    const { token, tokenExpiresAt } = await mint();
    const first = await verifyAgain(token);
    expect(first).toEqual(await verify(token));
    expect(await verifyAgain(token)).toEqual(first);
    const [header, payload, signature = ''] = token.split('.');
    const forged = `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    expect(await verifyAgain(forged)).toEqual({ ok: false, reason: 'invalid' });
    at = tokenExpiresAt - 1;
    expect(await verifyAgain(token)).toEqual(first);
    at = tokenExpiresAt;
    expect(await verifyAgain(token)).toEqual({ ok: false, reason: 'expired' });
  });
});
