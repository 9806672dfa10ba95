import { describe, expect, it, vi } from 'vitest';
import { sessionRefused } from '../api/shop-api.ts';
import { problem, stubShop } from '../app/app.fixture.tsx';
import { providerError } from './memory-identity.fixture.ts';
import { open, ownClock, RINA, until } from './session-keeper.fixture.ts';
import { ACCESS_TOKEN_KEY, RENEW_AFTER, RENEW_AGAIN_AFTER } from './session-keeper.ts';

ownClock();

describe('an open session', () => {
  it('I5 the access token is renewed before its one-hour lifetime ends', async () => {
    stubShop();
    const { keeper, session, identity } = open();
    await keeper.signIn(RINA, 'good-password');
    const first = session().token;
    expect(RENEW_AFTER).toBeLessThan(60 * 60_000);
    await vi.advanceTimersByTimeAsync(RENEW_AFTER - 1);
    expect(identity.renewals).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => expect(session().token).not.toBe(first));
    expect(session().status).toBe('signed-in');
    expect(localStorage.getItem(ACCESS_TOKEN_KEY)).toBe(session().token);
  });

  it('I5 if a token renewal fails temporarily, the user stays signed in and the renewal is retried', async () => {
    stubShop();
    const { keeper, session, identity } = open();
    await keeper.signIn(RINA, 'good-password');
    const first = session().token;
    identity.refuseTokens = providerError('auth/network-request-failed');
    await vi.advanceTimersByTimeAsync(RENEW_AFTER);
    expect(session()).toMatchObject({ status: 'signed-in', token: first });
    identity.refuseTokens = null;
    await vi.advanceTimersByTimeAsync(RENEW_AGAIN_AFTER);
    await until(() => expect(session().token).not.toBe(first));
  });

  it('I5 if the shop is busy when a token is renewed, the user stays signed in and the renewal is retried', async () => {
    let [busy, saves] = [false, 0];
    stubShop({
      'PUT /users/:id': () => {
        saves += 1;
        return busy
          ? problem('overloaded')
          : { acknowledged: true, matchedCount: 1, modifiedCount: 0, version: 1, token: `access-${saves}` };
      },
    });
    const { keeper, session } = open();
    await keeper.signIn(RINA, 'good-password');
    busy = true;
    await vi.advanceTimersByTimeAsync(RENEW_AFTER);
    await until(() => expect(saves).toBe(2));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(session()).toMatchObject({ status: 'signed-in', token: 'access-1' });
    busy = false;
    await vi.advanceTimersByTimeAsync(RENEW_AGAIN_AFTER);
    await until(() => expect(session().token).toBe('access-3'));
  });

  it('I5 the session ends if the identity provider has deleted the account', async () => {
    stubShop();
    const { keeper, session, identity } = open();
    await keeper.signIn(RINA, 'good-password');
    identity.refuseTokens = providerError('auth/user-not-found');
    await vi.advanceTimersByTimeAsync(RENEW_AFTER);
    expect(session()).toMatchObject({ status: 'signed-out', reason: 'expired' });
    expect(localStorage.getItem(ACCESS_TOKEN_KEY)).toBeNull();
  });

  it('I5 if the shop rejects a token that has not expired, the session ends and the user is signed out at the identity provider', async () => {
    stubShop();
    const { store, keeper, identity, session } = open();
    await keeper.signIn(RINA, 'good-password');
    store.dispatch(sessionRefused());
    await until(() => expect(identity.signedInAs()).toBeNull());
    expect(session()).toMatchObject({ status: 'signed-out', reason: 'expired' });
    expect(localStorage.getItem(ACCESS_TOKEN_KEY)).toBeNull();
  });

  it('I5 an access token that expired while the computer was asleep is renewed once the shop rejects it', async () => {
    stubShop();
    const { store, keeper, identity, status } = open();
    await keeper.signIn(RINA, 'good-password');
    vi.setSystemTime(Date.now() + 3 * 60 * 60_000);
    store.dispatch(sessionRefused());
    expect(status()).toBe('signed-out');
    await until(() => expect(status()).toBe('signed-in'));
    expect(identity.signedInAs()).toBe(RINA);
  });

  it("I5 after another user signs in, only the new session's access token is renewed, not the previous session's", async () => {
    stubShop();
    const { keeper, identity } = open();
    await keeper.signIn(RINA, 'good-password');
    await vi.advanceTimersByTimeAsync(RENEW_AFTER / 2);
    await keeper.signIn('admin@micro-center.test', 'good-password');
    await vi.advanceTimersByTimeAsync(RENEW_AFTER - 1);
    expect(identity.renewals).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(identity.renewals).toBe(1);
  });

  it('I5 a user who signed out while the identity provider was down stays signed out even if an old request is then rejected', async () => {
    stubShop();
    const { store, keeper, identity, status } = open();
    await keeper.signIn(RINA, 'good-password');
    vi.spyOn(identity, 'signOut').mockRejectedValueOnce(providerError('auth/network-request-failed'));
    await expect(keeper.signOut('by-user')).rejects.toThrow('network-request-failed');
    expect(localStorage.getItem(ACCESS_TOKEN_KEY)).toBeNull();
    vi.setSystemTime(Date.now() + 3 * 60 * 60_000);
    store.dispatch(sessionRefused());
    await until(() => expect(identity.signedInAs()).toBeNull());
    expect([status(), identity.renewals]).toEqual(['signed-out', 0]);
  });

  describe('a token renewal that fails late', () => {
    /** Opens a session whose renewal is in flight until `fail` is called. */
    async function renewing() {
      stubShop();
      const { keeper, identity, session } = open();
      let fail: (error: Error) => void = () => {};
      await keeper.signIn(RINA, 'good-password');
      identity.refuseTokens = new Promise((resolve) => {
        fail = resolve;
      });
      await vi.advanceTimersByTimeAsync(RENEW_AFTER);
      return { keeper, session, fail: (code: string) => fail(providerError(code)) };
    }

    it('I5 a token renewal that fails after a sign-out does not change the signed-out session', async () => {
      const { keeper, session, fail } = await renewing();
      await keeper.signOut('by-user');
      fail('auth/network-request-failed');
      await vi.advanceTimersByTimeAsync(1_000);
      expect(session()).toMatchObject({ status: 'signed-out', reason: 'by-user', problem: null });
    });

    it('I5 a token renewal that fails late does not end the session of another user who has signed in meanwhile', async () => {
      const { keeper, session, fail } = await renewing();
      await keeper.signOut('by-user');
      await keeper.signIn('admin@micro-center.test', 'good-password');
      fail('auth/user-token-expired');
      await vi.advanceTimersByTimeAsync(1_000);
      expect(session()).toMatchObject({ status: 'signed-in', email: 'admin@micro-center.test' });
    });
  });

  it('I5 once the session keeper is stopped, it neither renews nor ends a session', async () => {
    stubShop();
    const { store, keeper, identity, stop } = open();
    await keeper.signIn(RINA, 'good-password');
    stop();
    await vi.advanceTimersByTimeAsync(RENEW_AFTER);
    store.dispatch(sessionRefused());
    await vi.advanceTimersByTimeAsync(1_000);
    expect([identity.renewals, identity.signedInAs()]).toEqual([0, RINA]);
  });

  it('I5 if the access token is both rejected and due for renewal when the computer wakes up, the token is renewed only once', async () => {
    let hangs = false;
    stubShop({
      'PUT /users/:id': () =>
        hangs
          ? new Promise(() => {})
          : { acknowledged: true, matchedCount: 1, modifiedCount: 0, version: 1, token: 'access-5' },
    });
    const { store, keeper, identity } = open();
    await keeper.signIn(RINA, 'good-password');
    hangs = true;
    vi.setSystemTime(Date.now() + 3 * 60 * 60_000);
    store.dispatch(sessionRefused());
    await vi.advanceTimersByTimeAsync(RENEW_AFTER);
    expect(identity.renewals).toBe(1);
  });

  it("I5 a user who has signed out stays signed out when the response with the user's role arrives late", async () => {
    let answerRole: (answer: unknown) => void = () => {};
    const calls = stubShop({ 'GET /admin/:id': () => new Promise((resolve) => (answerRole = resolve)) });
    const { keeper, session } = open();
    const signingIn = keeper.signIn(RINA, 'good-password');
    await until(() => expect(calls).toContain(`GET /admin/${encodeURIComponent(RINA)}`));
    await keeper.signOut('by-user');
    answerRole({ admin: true });
    await signingIn;
    expect(session()).toMatchObject({ status: 'signed-out', token: null, role: null });
    expect(localStorage.getItem(ACCESS_TOKEN_KEY)).toBeNull();
  });
});
