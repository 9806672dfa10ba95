import { describe, expect, it, vi } from 'vitest';
import { problem, stubShop } from '../app/app.fixture.tsx';
import { makeStore } from '../app/store.ts';
import { memoryIdentity } from './memory-identity.fixture.ts';
import { open, ownClock, RINA, reopen, until } from './session-keeper.fixture.ts';
import { ACCESS_TOKEN_KEY, createSessionKeeper } from './session-keeper.ts';

ownClock();

describe('session keeper', () => {
  it('I5 at sign-in, the ID token is exchanged for an access token, which is stored and used to request the role', async () => {
    const bearers: (string | null)[] = [];
    const calls = stubShop({
      'PUT /users/:id': ({ bearer, body }) => {
        bearers.push(bearer);
        expect(body).toEqual({ email: RINA });
        return { acknowledged: true, matchedCount: 1, modifiedCount: 0, version: 1, token: 'access-1' };
      },
      'GET /admin/:id': ({ bearer }) => {
        bearers.push(bearer);
        return { admin: false };
      },
    });
    const { keeper, session } = open();
    await keeper.signIn(RINA, 'good-password');
    expect(calls).toEqual([`PUT /users/${encodeURIComponent(RINA)}`, `GET /admin/${encodeURIComponent(RINA)}`]);
    expect(bearers).toEqual([expect.stringContaining('id-token'), 'access-1']);
    expect(localStorage.getItem(ACCESS_TOKEN_KEY)).toBe('access-1');
    expect(session()).toMatchObject({ status: 'signed-in', token: 'access-1', name: 'Rina Akter', role: 'customer' });
  });

  it("I5 when an admin signs in, the session takes the role of admin from the shop's response", async () => {
    stubShop();
    const { keeper, session } = open();
    await keeper.signIn('admin@micro-center.test', 'good-password');
    expect(session().role).toBe('admin');
  });

  it("I1 after a registration, the user is signed in under the new account's name and gets a verification e-mail", async () => {
    stubShop();
    const { keeper, session, identity } = open();
    await keeper.register({ username: 'New Person', email: 'new@micro-center.test', password: 'good-password' });
    expect(session()).toMatchObject({ status: 'signed-in', name: 'New Person', email: 'new@micro-center.test' });
    expect(session().token).toContain('New Person');
    expect(identity.mails).toEqual(['verification:new@micro-center.test']);
  });

  it("I2 once the identity provider is loaded, a click on Google sign-in opens Google's window synchronously", async () => {
    stubShop();
    const { keeper, identity, status } = open();
    let turn = '';
    const asked: string[] = [];
    const enter = identity.signIn;
    identity.signInWithGoogle = () => {
      asked.push(turn);
      return enter(RINA, 'good-password');
    };
    keeper.prepare();
    await until(() => expect(status()).toBe('signed-out'));
    await vi.advanceTimersByTimeAsync(0);
    turn = 'the click';
    const signedIn = keeper.signInWithGoogle();
    turn = 'a later one';
    await signedIn;
    expect(asked).toEqual(['the click']);
  });

  it('I5 signing out removes the token and also signs out at the identity provider', async () => {
    stubShop();
    const { keeper, session, identity } = open();
    await keeper.signIn(RINA, 'good-password');
    await keeper.signOut('by-user');
    expect(localStorage.getItem(ACCESS_TOKEN_KEY)).toBeNull();
    expect(session()).toMatchObject({ status: 'signed-out', token: null, reason: 'by-user' });
    expect(identity.signedInAs()).toBeNull();
  });

  it('I5 when the page opens, a stored session is restored, and no request is sent if no session is stored', async () => {
    const calls = stubShop();
    const visitor = open();
    expect(visitor.status()).toBe('signed-out');
    expect(calls).toEqual([]);
    const { status, session } = reopen();
    expect(status()).toBe('unknown');
    await until(() => expect(status()).toBe('signed-in'));
    expect(localStorage.getItem(ACCESS_TOKEN_KEY)).toBe(session().token);
  });

  it('I5 a stored session ends if the identity provider no longer has a signed-in user', async () => {
    stubShop();
    localStorage.setItem(ACCESS_TOKEN_KEY, 'from last time');
    const { status, session } = open();
    await until(() => expect(status()).toBe('signed-out'));
    expect(session().reason).toBe('visitor');
    expect(localStorage.getItem(ACCESS_TOKEN_KEY)).toBeNull();
  });

  it('I3 if a sign-in fails because the shop is busy, the user is told so, and a retry signs the user in', async () => {
    let busy = true;
    stubShop({
      'PUT /users/:id': () =>
        busy
          ? problem('overloaded')
          : { acknowledged: true, matchedCount: 1, modifiedCount: 0, version: 1, token: 'access-2' },
    });
    const { status, session, keeper } = reopen();
    await until(() => expect(status()).toBe('signed-out'));
    expect(session()).toMatchObject({ reason: 'failed', problem: expect.stringContaining('very busy') });
    busy = false;
    keeper.retry();
    await until(() => expect(session().token).toBe('access-2'));
  });

  it('I3 I5 if a session cannot be restored because the identity provider did not load, the user is told why, and a retry loads it again', async () => {
    stubShop();
    localStorage.setItem(ACCESS_TOKEN_KEY, 'from last time');
    const store = makeStore();
    const loadIdentity = vi.fn(async () => memoryIdentity({ kept: RINA }));
    loadIdentity.mockRejectedValueOnce(new Error('The provider did not load.'));
    const keeper = createSessionKeeper({ store, loadIdentity, storage: localStorage });
    keeper.start();
    const session = () => store.getState().session;
    await until(() => expect(session().status).toBe('signed-out'));
    expect(session()).toMatchObject({ reason: 'failed', problem: 'The provider did not load.' });
    keeper.retry();
    await until(() => expect(session().status).toBe('signed-in'));
  });

  it('I5 a user who signs out stays signed out even if the identity provider then fails to load', async () => {
    stubShop();
    localStorage.setItem(ACCESS_TOKEN_KEY, 'from last time');
    const store = makeStore();
    let fail: (error: Error) => void = () => {};
    const loading = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const keeper = createSessionKeeper({ store, loadIdentity: () => loading, storage: localStorage });
    keeper.start();
    const signingOut = keeper.signOut('by-user');
    fail(new Error('The provider did not load.'));
    await expect(signingOut).rejects.toThrow('did not load');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(store.getState().session).toMatchObject({ status: 'signed-out', reason: 'by-user', problem: null });
  });

  it('I5 retrying a failed sign-in does not sign in a user who has signed out in another tab', async () => {
    let busy = true;
    stubShop({
      'PUT /users/:id': () =>
        busy
          ? problem('overloaded')
          : { acknowledged: true, matchedCount: 1, modifiedCount: 0, version: 1, token: 'access-4' },
    });
    const { status, keeper, identity } = reopen();
    await until(() => expect(status()).toBe('signed-out'));
    await identity.signOut();
    expect(localStorage.getItem(ACCESS_TOKEN_KEY)).toBeNull();
    busy = false;
    keeper.retry();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(status()).toBe('signed-out');
  });

  it('I5 the page stops trying to restore a session once the user signs out in another tab', async () => {
    let refusals = 0;
    let busy = true;
    stubShop({
      'PUT /users/:id': () => {
        if (busy) refusals += 1;
        return busy
          ? problem('shutting_down')
          : { acknowledged: true, matchedCount: 1, modifiedCount: 0, version: 1, token: 'access-5' };
      },
    });
    const { status, identity } = reopen();
    await until(() => expect(refusals).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(100);
    await identity.signOut();
    busy = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(status()).toBe('signed-out');
    expect(localStorage.getItem(ACCESS_TOKEN_KEY)).toBeNull();
  });

  it('I5 if the page is opened while the shop is restarting, the page retries restoring the session after a short delay', async () => {
    let refusals = 2;
    stubShop({
      'PUT /users/:id': () => {
        refusals -= 1;
        if (refusals >= 0) return problem('shutting_down');
        return { acknowledged: true, matchedCount: 1, modifiedCount: 0, version: 1, token: 'access-3' };
      },
    });
    const { status, session } = reopen();
    await until(() => expect(status()).toBe('signed-in'));
    expect(session().token).toBe('access-3');
  });

  it("I5 signing out drops the user's cached data", async () => {
    stubShop();
    const { store, keeper } = open();
    await keeper.signIn(RINA, 'good-password');
    await keeper.signOut('by-user');
    expect(Object.keys(store.getState().shopApi.queries)).toEqual([]);
  });
});
