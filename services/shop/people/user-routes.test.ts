import { describe, expect, it } from 'vitest';
import { stockedShop, testShops } from '../../http/test-shop.fixture.ts';
import { IdentityUnavailable, type VerifiedPerson } from '../../identity/identity-provider.ts';
import { plainIdentity, plainIdToken } from '../../whole-shop/plain-identity.fixture.ts';

const open = testShops();
const RUMI = 'rumi@shop.test';

/** Opens a shop in live mode whose identity provider also has accounts for `people`, which is keyed by ID token. */
const openLive = (people: Record<string, Omit<VerifiedPerson, 'signedInAt'>>) =>
  open((shop) => ({
    clientConfig: { ...shop.clientConfig, firebase: { mode: 'live', config: {} } },
    identity: {
      ...plainIdentity,
      async verifyIdToken(token) {
        const person = people[token];
        return person ? { ...person, signedInAt: 0 } : plainIdentity.verifyIdToken(token);
      },
      async accounts(uids) {
        const known = Object.values(people).filter(({ uid }) => uids.includes(uid));
        const usable = { disabled: false, sessionsValidFrom: 0 };
        const ours = known.map((person) => [person.uid, { ...person, ...usable }] as const);
        return new Map([...(await plainIdentity.accounts(uids)), ...ours]);
      },
    },
  }));

describe('signing in', () => {
  it('C1 the first sign-in registers the user and returns an access token', async () => {
    const shop = await open();
    const answer = await shop.call('PUT', `/users/${RUMI}`, { token: plainIdToken(RUMI), body: { email: RUMI } });
    expect(answer).toMatchObject({
      status: 200,
      body: { acknowledged: true, matchedCount: 1, modifiedCount: 1, version: 1, token: expect.any(String) },
    });
    const [registered] = await shop.events('user', shop.userId(RUMI));
    expect(registered).toMatchObject({
      type: 'UserRegistered',
      actor: shop.userId(RUMI),
      correlationid: answer.headers.get('x-request-id'),
      data: { uid: expect.stringContaining('uid-'), personal: { email: RUMI, name: 'rumi' } },
    });
  });

  it('C1 a later sign-in also returns an access token, but appends no event', async () => {
    const shop = await open();
    await shop.signIn(RUMI);
    const again = await shop.call('PUT', `/users/${RUMI}`, { token: plainIdToken(RUMI), body: { email: RUMI } });
    expect(again).toMatchObject({ status: 200, body: { modifiedCount: 0, version: 1, token: expect.any(String) } });
    expect(await shop.eventCount()).toBe(1);
  });

  it('C1 an e-mail address is accepted regardless of its case and surrounding spaces', async () => {
    const shop = await open();
    const answer = await shop.call('PUT', `/users/%20Rumi@Shop.TEST`, {
      token: plainIdToken(RUMI),
      body: { email: ' RUMI@shop.test ' },
    });
    expect(answer.status).toBe(200);
    expect(await shop.history('user', shop.userId(RUMI))).toEqual(['UserRegistered']);
  });

  it('AUTH1 an ID token signs in only its own user, whatever e-mail address the path or the body gives', async () => {
    const shop = await open();
    const token = plainIdToken('eve@shop.test');
    const inPath = await shop.call('PUT', `/users/${RUMI}`, { token, body: { email: 'eve@shop.test' } });
    const inBody = await shop.call('PUT', '/users/eve@shop.test', { token, body: { email: RUMI } });
    expect([inPath.status, inBody.status]).toEqual([403, 403]);
    expect(await shop.eventCount()).toBe(0);
  });

  it("AUTH5 a different account at the identity provider can't sign in with an e-mail address that is already registered", async () => {
    const shop = await openLive({ other: { uid: 'other-uid', email: RUMI, emailVerified: true, name: 'Eve' } });
    await shop.signIn(RUMI);
    const answer = await shop.call('PUT', `/users/${RUMI}`, { token: 'other', body: { email: RUMI } });
    expect(answer).toMatchObject({ status: 403, body: { code: 'other_account' } });
    expect(await shop.eventCount()).toBe(1);
  });

  it('C1 a sign-in with an invalid token gets a 401, and a sign-in while the identity provider is down gets a 503', async () => {
    const shop = await open();
    expect(await shop.call('PUT', `/users/${RUMI}`, { token: 'forged', body: {} })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
    const away = new IdentityUnavailable({ cause: new Error('no route to the provider') });
    const down = await open(() => ({
      identity: { ...plainIdentity, verifyIdToken: () => Promise.reject(away) },
    }));
    const answer = await down.call('PUT', `/users/${RUMI}`, { token: 'any', body: {} });
    expect(answer).toMatchObject({ status: 503, body: { code: 'identity_unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(down.lines.filter((line) => line.includes('no route to the provider'))).toHaveLength(1);
  });

  it('AUTH5 a request with an expired access token gets a 401, whether it reads or saves a profile', async () => {
    const shop = await open();
    const rumi = await shop.signIn(RUMI);
    shop.advance(3_600_001);
    expect((await rumi.call('PUT', `/users/${RUMI}`, { address: 'Dhaka' })).status).toBe(401);
    expect((await rumi.call('GET', `/users/${RUMI}`)).status).toBe(401);
    expect(await shop.eventCount()).toBe(1);
  });
});

describe('profiles', () => {
  it('C2 saving a profile saves the given fields and returns the token that the request was sent with (AUTH5)', async () => {
    const shop = await open();
    const rumi = await shop.signIn(RUMI);
    const fields = { email: RUMI, address: 'Dhaka', phone: '01700000000', education: 'BSc', social: 'in/rumi' };
    const saved = await rumi.call('PUT', `/users/${RUMI}`, fields);
    expect(saved).toMatchObject({ status: 200, body: { modifiedCount: 1, version: 2, token: rumi.token } });
    const again = await rumi.call('PUT', `/users/${RUMI}`, fields);
    expect(again.body).toMatchObject({ matchedCount: 1, modifiedCount: 0, version: 2 });
    expect(await shop.history('user', shop.userId(RUMI))).toEqual(['UserRegistered', 'ProfileChanged']);
  });

  it("AUTH1 nobody can save another user's profile, not even an admin", async () => {
    const shop = await open();
    await shop.signIn(RUMI);
    const admin = await shop.admin();
    const before = await shop.eventCount();
    expect((await admin.call('PUT', `/users/${RUMI}`, { email: RUMI, address: 'Here' })).status).toBe(403);
    expect(await shop.eventCount()).toBe(before);
  });

  it("C3 GET /users/:email returns an array that contains only that user's profile, as it was last saved (READ1)", async () => {
    const shop = await open();
    const rumi = await shop.signIn(RUMI);
    await rumi.call('PUT', `/users/${RUMI}`, { social: 'in/rumi' });
    const answer = await rumi.call('GET', `/users/${RUMI}`);
    expect(answer.body).toEqual([
      {
        _id: shop.userId(RUMI),
        email: RUMI,
        name: 'rumi',
        role: 'customer',
        address: '',
        phone: '',
        education: '',
        social: 'in/rumi',
        registeredAt: '2026-02-03T04:05:06.000Z',
        version: 2,
      },
    ]);
  });

  it('C3 only an admin can find out that an e-mail address is not registered', async () => {
    const shop = await open();
    const rumi = await shop.signIn(RUMI);
    const admin = await shop.admin();
    expect((await admin.call('GET', '/users/nobody@shop.test')).status).toBe(404);
    expect((await rumi.call('GET', '/users/nobody@shop.test')).status).toBe(403);
  });

  it('C4 GET /users returns all users with e-mail and role, oldest first (K3)', async () => {
    const shop = await open();
    const admin = await shop.admin();
    shop.advance(1000);
    await shop.signIn(RUMI);
    const answer = await admin.call('GET', '/users');
    expect(answer.body).toMatchObject([
      { email: 'boss@shop.test', role: 'admin' },
      { email: RUMI, role: 'customer' },
    ]);
  });

  it('C4 GET /users?q= returns the users whose e-mail or name contains the search text', async () => {
    const shop = await open();
    const admin = await shop.admin();
    await shop.signIn(RUMI);
    const found = await admin.call('GET', `/users?q=${encodeURIComponent(RUMI.toUpperCase())}`);
    expect(found.body).toMatchObject([{ email: RUMI }]);
    expect((await admin.call('GET', '/users?q=nobody')).body).toEqual([]);
  });
});

describe('admins', () => {
  it('C5 an admin can make a user an admin, and repeating the request changes nothing', async () => {
    const shop = await open();
    const { admin, shopper } = await stockedShop(shop);
    const path = `/users/admin/${shopper.email}`;
    expect((await admin.call('PUT', path)).body).toMatchObject({ matchedCount: 1, modifiedCount: 1, version: 2 });
    expect((await admin.call('PUT', path)).body).toMatchObject({ matchedCount: 1, modifiedCount: 0, version: 2 });
    const events = await shop.events('user', shop.userId(shopper.email));
    expect(events.map(({ type }) => type)).toEqual(['UserRegistered', 'AdminGranted']);
    expect(events[1]?.actor).toBe(shop.userId(admin.email));
  });

  it('C5 a customer who tries to grant the admin role gets a 403, and a grant to an unregistered e-mail address gets a 404', async () => {
    const shop = await open();
    const { admin, shopper } = await stockedShop(shop);
    const before = await shop.eventCount();
    const refused = await shopper.call('PUT', `/users/admin/${shopper.email}`);
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await admin.call('PUT', '/users/admin/nobody@shop.test')).status).toBe(404);
    expect(await shop.eventCount()).toBe(before);
  });

  it('AUTH2 granting or revoking the admin role takes effect on the next request with the same token', async () => {
    const shop = await open();
    const { admin, shopper } = await stockedShop(shop);
    expect((await shopper.call('GET', '/users')).status).toBe(403);
    await admin.call('PUT', `/users/admin/${shopper.email}`);
    expect((await shopper.call('GET', '/users')).status).toBe(200);
    await admin.call('DELETE', `/users/admin/${shopper.email}`);
    expect((await shopper.call('GET', '/users')).status).toBe(403);
  });

  it("C5 an admin's role can be revoked unless that admin is the last one", async () => {
    const shop = await open();
    const { admin, shopper } = await stockedShop(shop);
    expect(await admin.call('DELETE', `/users/admin/${admin.email}`)).toMatchObject({
      status: 409,
      body: { code: 'last_admin' },
    });
    await admin.call('PUT', `/users/admin/${shopper.email}`);
    const path = `/users/admin/${admin.email}`;
    expect((await admin.call('DELETE', path)).body).toEqual({ acknowledged: true, deletedCount: 1 });
    expect((await shopper.call('DELETE', path)).body).toEqual({ acknowledged: true, deletedCount: 0 });
    expect((await shopper.call('DELETE', `/users/admin/${shopper.email}`)).status).toBe(409);
  });

  it('C6 whether a user is an admin is visible only to that user and to admins', async () => {
    const shop = await open();
    const { admin, shopper } = await stockedShop(shop);
    expect((await shopper.call('GET', `/admin/${shopper.email}`)).body).toEqual({ admin: false });
    expect((await admin.call('GET', `/admin/${admin.email}`)).body).toEqual({ admin: true });
    expect((await admin.call('GET', `/admin/${shopper.email}`)).body).toEqual({ admin: false });
    expect((await shopper.call('GET', `/admin/${admin.email}`)).status).toBe(403);
  });

  it('AUTH5 in live mode, a user listed in ADMIN_EMAILS becomes an admin only once their e-mail address is verified', async () => {
    const boss = { uid: 'boss', email: 'boss@shop.test', name: 'Boss' };
    const shop = await openLive({
      early: { ...boss, emailVerified: false },
      later: { ...boss, emailVerified: true },
    });
    const signIn = (token: string) => shop.call('PUT', `/users/${boss.email}`, { token, body: { email: boss.email } });
    await signIn('early');
    expect(await shop.history('user', shop.userId(boss.email))).toEqual(['UserRegistered']);
    await signIn('later');
    expect(await shop.history('user', shop.userId(boss.email))).toEqual(['UserRegistered', 'AdminGranted']);
  });

  it("AUTH5 in live mode, an admin whose e-mail address is not verified has only a customer's rights", async () => {
    const eve = { uid: 'eve', email: 'eve@shop.test', name: 'Eve' };
    const shop = await openLive({
      unverified: { ...eve, emailVerified: false },
      verified: { ...eve, emailVerified: true },
    });
    const path = `/users/${eve.email}`;
    const tokenOf = async (token: string) =>
      ((await shop.call('PUT', path, { token, body: {} })).body as { token: string }).token;
    const token = await tokenOf('unverified');
    const admin = await shop.admin();
    await admin.call('PUT', `/users/admin/${eve.email}`);
    expect(await shop.call('GET', '/users', { token })).toMatchObject({
      status: 403,
      body: { code: 'email_not_verified' },
    });
    expect((await shop.call('GET', `/admin/${eve.email}`, { token })).body).toEqual({ admin: false });
    expect((await shop.call('GET', '/users', { token: await tokenOf('verified') })).status).toBe(200);
  });

  it("AUTH1 a request with a valid access token gets a 401 if the token's user is not in this shop's log", async () => {
    const [first, second] = [await open(), await open()];
    const stranger = await first.signIn(RUMI);
    expect((await second.call('GET', `/users/${RUMI}`, { token: stranger.token })).status).toBe(401);
  });
});
