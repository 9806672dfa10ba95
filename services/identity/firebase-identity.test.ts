import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callAccounts,
  forgeToken,
  googleCredential,
  PROJECT,
  startTestEmulator,
  type TestEmulator,
} from '../demo/identity/emulator.fixture.ts';
import { createFirebaseIdentity, identityErrorOf } from './firebase-identity.ts';
import { IdentityUnavailable, IdTokenRefused } from './identity-provider.ts';

let test: TestEmulator;
let origin: string;
let identity: ReturnType<typeof createFirebaseIdentity>;
const app = initializeApp({ projectId: PROJECT }, 'owner');
const owner = () => getAuth(app);

beforeAll(async () => {
  test = await startTestEmulator();
  origin = `http://${test.emulator.host}`;
  identity = createFirebaseIdentity({ mode: 'demo', projectId: PROJECT, emulatorHost: test.emulator.host });
});
afterAll(async () => {
  await identity.close();
  await deleteApp(app);
  await test.dispose();
});

const signUp = (email: string) => callAccounts(origin, 'signUp', { email, password: 'secret1' });
const refusalOf = (token: string) =>
  identity.verifyIdToken(token).then(
    () => 'taken',
    (error: unknown) => (error instanceof IdTokenRefused ? error.reason : error),
  );

describe('firebase identity', () => {
  it('X8 verifyIdToken() returns the person who signed up, with their e-mail address in lower case and not yet verified', async () => {
    const { idToken, localId } = await signUp('Rumana@Shop.TEST');
    expect(await identity.verifyIdToken(idToken)).toEqual({
      uid: localId,
      email: 'rumana@shop.test',
      emailVerified: false,
      name: 'rumana',
      signedInAt: expect.toSatisfy((at: number) => Math.abs(Date.now() - at) < 60_000 && at % 1000 === 0),
    });
  });

  it('X8 verifyIdToken() returns the current name and verification status even if the token is older than their last change', async () => {
    const { idToken, localId } = await signUp('early@shop.test');
    await callAccounts(origin, 'update', { idToken, displayName: 'Rumana Akter' });
    await owner().updateUser(localId, { emailVerified: true });
    expect(await identity.verifyIdToken(idToken)).toMatchObject({ name: 'Rumana Akter', emailVerified: true });
  });

  it('I2 verifyIdToken() accepts a Google account', async () => {
    const { idToken } = await callAccounts(
      origin,
      'signInWithIdp',
      googleCredential('imran@gmail.test', 'Imran Kabir'),
    );
    expect(await identity.verifyIdToken(idToken)).toMatchObject({
      email: 'imran@gmail.test',
      emailVerified: true,
      name: 'Imran Kabir',
    });
  });

  it("AUTH5 verifyIdToken() returns the account's own e-mail address even if an unsigned token contains a forged one", async () => {
    const { idToken } = await signUp('plain@shop.test');
    const forged = forgeToken(idToken, { email: 'farhana@micro-center.test', email_verified: true });
    expect(await identity.verifyIdToken(forged)).toMatchObject({ email: 'plain@shop.test', emailVerified: false });
  });

  it.each([
    ['garbage', 'garbage'],
    ['nothing', ''],
    ["a JWT that isn't an ID token", 'eyJhbGciOiJub25lIn0.e30.'],
  ])('AUTH5 verifyIdToken() refuses %s', async (_, token) => {
    expect(await refusalOf(token)).toBe('malformed');
  });

  it("AUTH5 in demo mode, verifyIdToken() refuses another project's token, an expired token and a signed token", async () => {
    const { idToken } = await signUp('claims@shop.test');
    const other = { aud: 'demo-other', iss: 'https://securetoken.google.com/demo-other' };
    expect(await refusalOf(forgeToken(idToken, other))).toBe('malformed');
    expect(await refusalOf(forgeToken(idToken, { exp: Math.floor(Date.now() / 1000) - 10 }))).toBe('expired');
    expect(await refusalOf(`${idToken}c2lnbmVk`)).toBe('malformed');
  });

  it('AUTH5 verifyIdToken() refuses a revoked token, a disabled account and a deleted account', async () => {
    const { idToken, localId } = await signUp('leaver@shop.test');
    await owner().updateUser(localId, { disabled: true });
    expect(await refusalOf(idToken)).toBe('disabled');
    await owner().updateUser(localId, { disabled: false });
    const earlier = forgeToken(idToken, { auth_time: Math.floor(Date.now() / 1000) - 60 });
    expect(await refusalOf(earlier)).toBe('revoked');
    await owner().deleteUser(localId);
    expect(await refusalOf(idToken)).toBe('unknown_user');
  });

  it('AUTH5 verifyIdToken() refuses an account without an e-mail address', async () => {
    const { idToken } = await callAccounts(origin, 'signUp', { returnSecureToken: true });
    expect(await refusalOf(idToken)).toBe('no_email');
  });

  it("AUTH6 accounts() returns each account's e-mail address, whether the address is verified and whether the account is disabled, and leaves out deleted accounts", async () => {
    const [whole, disabled, gone, nameless] = await Promise.all([
      signUp('Whole@Shop.TEST'),
      signUp('disabled@shop.test'),
      signUp('gone@shop.test'),
      callAccounts(origin, 'signUp', { returnSecureToken: true }),
    ]);
    await owner().updateUser(whole.localId, { emailVerified: true });
    await owner().updateUser(disabled.localId, { disabled: true });
    await owner().deleteUser(gone.localId);
    const uids = [whole, disabled, gone, nameless].map(({ localId }) => localId);
    const found = await identity.accounts(uids);
    expect([...found.keys()].sort()).toEqual([whole, disabled, nameless].map(({ localId }) => localId).sort());
    expect(found.get(whole.localId)).toMatchObject({ email: 'whole@shop.test', emailVerified: true, disabled: false });
    expect(found.get(disabled.localId)).toMatchObject({ emailVerified: false, disabled: true });
    expect(found.get(nameless.localId)).toMatchObject({ email: null });
    expect(await identity.accounts([])).toEqual(new Map());
  });

  it("AUTH6 accounts() returns the time at which an account's sessions were ended by a sign-out everywhere or by a new password", async () => {
    const { localId } = await signUp('ended@shop.test');
    const validFrom = async () => (await identity.accounts([localId])).get(localId)?.sessionsValidFrom ?? Number.NaN;
    const begun = await validFrom();
    const second = Math.floor(Date.now() / 1000) * 1000;
    await owner().revokeRefreshTokens(localId);
    const revoked = await validFrom();
    expect(revoked).toBeGreaterThanOrEqual(second);
    expect(revoked).toBeGreaterThanOrEqual(begun);
    expect(revoked).toBeLessThanOrEqual(Date.now());
    await owner().updateUser(localId, { password: 'secret2' });
    expect(await validFrom()).toBeGreaterThanOrEqual(revoked);
  });

  it('AUTH6 accounts() can look up more accounts than fit into one batch', async () => {
    const { localId } = await signUp('one-of-many@shop.test');
    const others = Array.from({ length: 250 }, (_, index) => `nobody-${index}`);
    expect([...(await identity.accounts([...others, localId])).keys()]).toEqual([localId]);
  });

  it("AUTH4 createFirebaseIdentity() throws in demo mode if the project id doesn't start with demo-, and in live mode if an emulator is configured", () => {
    expect(() => createFirebaseIdentity({ mode: 'demo', projectId: 'shop', emulatorHost: '127.0.0.1:1' })).toThrow(
      /demo-/,
    );
    expect(() => createFirebaseIdentity({ mode: 'live', projectId: 'shop' })).toThrow(/signature checks/);
  });

  it('a failure to fetch signing keys counts as a provider outage, although Firebase reports it as an argument error', () => {
    const message = 'Error while making request: getaddrinfo ENOTFOUND www.googleapis.com. Error code: ENOTFOUND';
    expect(identityErrorOf({ code: 'auth/argument-error', message })).toBeInstanceOf(IdentityUnavailable);
    expect(identityErrorOf({ code: 'app/invalid-credential', message: '' })).toBeInstanceOf(IdentityUnavailable);
    expect(identityErrorOf({ code: 'auth/argument-error', message: 'bad' })).toBeInstanceOf(IdTokenRefused);
  });

  it('while the emulator is down, calls fail with IdentityUnavailable instead of IdTokenRefused', async () => {
    const { idToken } = await signUp('waiting@shop.test');
    await test.emulator.stop();
    expect(await refusalOf(idToken)).toBeInstanceOf(IdentityUnavailable);
    await expect(identity.accounts(['any'])).rejects.toThrow(IdentityUnavailable);
  });
});
