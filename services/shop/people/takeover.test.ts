import { describe, expect, it } from 'vitest';
import { callAccounts, PROJECT, startTestEmulator } from '../../demo/identity/emulator.fixture.ts';
import { stockedShop, type TestShop, testShops } from '../../http/test-shop.fixture.ts';
import { createFirebaseIdentity } from '../../identity/firebase-identity.ts';
import { IdentityUnavailable } from '../../identity/identity-provider.ts';
import { createPeople } from '../../identity/people.fixture.ts';
import { type Person, signIn } from '../../whole-shop/shop-client.fixture.ts';

const open = testShops();
const MINA = 'mina@shop.test';
const BOSS = 'boss@shop.test';
const UNVERIFIED = { emailVerified: false };

/** Opens a shop in live mode with an identity provider that the test controls. An account's ID token is its uid. */
async function openLive() {
  const people = createPeople();
  people.put('boss', BOSS);
  people.put('rumi', 'rumi@shop.test');
  const shop = await open(({ clientConfig }) => ({
    clientConfig: { ...clientConfig, firebase: { mode: 'live', config: {} } },
    identity: people.identity,
  }));
  return { shop, people, enter: (uid: string, email: string) => signIn(shop.url, email, uid) };
}

/** Opens a shop in live mode with an order by a squatter, who registered with Mina's e-mail address without verifying it. */
async function openSquatted() {
  const { shop, people, enter } = await openLive();
  const admin = await enter('boss', BOSS);
  people.put('squatter', MINA, UNVERIFIED);
  const squatter = await enter('squatter', MINA);
  const { place } = await stockedShop({
    ...shop,
    admin: async () => admin,
    signIn: () => enter('rumi', 'rumi@shop.test'),
  });
  return { shop, people, enter, admin, squatter, orderId: await place(1, squatter) };
}

const tryToEnter = (shop: TestShop, uid: string, email: string) =>
  shop.call('PUT', `/users/${email}`, { token: uid, body: { email } });

describe('taking over an e-mail address', () => {
  it("AUTH5 LOG3 the owner of an e-mail address can sign in after a squatter has used it, and gets none of the squatter's orders, profile or role", async () => {
    const { shop, people, enter, admin, squatter, orderId } = await openSquatted();
    const address = 'Squatters Lane 1';
    await squatter.call('PUT', `/users/${MINA}`, { address, phone: '0199999', education: 'Locksmith' });
    await admin.call('PUT', `/users/admin/${MINA}`);
    people.accounts.delete('squatter');

    people.put('owner', MINA, UNVERIFIED);
    expect(await tryToEnter(shop, 'owner', MINA)).toMatchObject({ status: 403, body: { code: 'other_account' } });
    people.put('owner', MINA);
    const owner = await enter('owner', MINA);

    const own = await Promise.all(
      [`/users/${MINA}`, `/admin/${MINA}`, `/individual?email=${MINA}`, `/individual?email=${MINA}&status=unpaid`].map(
        (path) => owner.call('GET', path),
      ),
    );
    expect(own.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(own[0]?.body).toMatchObject([{ _id: shop.userId(MINA, 2), role: 'customer', address: '', phone: '' }]);
    expect(own.slice(1).map(({ body }) => body)).toEqual([{ admin: false }, [], []]);
    for (const secret of [orderId, address, '0199999', 'Locksmith']) expect(JSON.stringify(own)).not.toContain(secret);
    for (const [method, path] of [
      ['GET', `/orders/${orderId}`],
      ['GET', `/orders/${orderId}/timeline`],
      ['DELETE', `/orders/${orderId}`],
      ['GET', '/orders'],
      ['GET', '/users'],
    ] as const) {
      expect((await owner.call(method, path)).status, `${method} ${path}`).toBe(403);
    }
    expect((await squatter.call('GET', `/users/${MINA}`)).status).toBe(401);
    expect((await squatter.call('GET', `/orders/${orderId}`)).status).toBe(401);
    expect(await shop.history('user', shop.userId(MINA))).toEqual([
      'UserRegistered',
      'ProfileChanged',
      'AdminGranted',
      'AccountClosed',
    ]);
    expect(await shop.history('user', shop.userId(MINA, 2))).toEqual(['UserRegistered']);
    const listed = JSON.stringify((await admin.call('GET', '/users')).body);
    expect(listed).toContain(shop.userId(MINA, 2));
    expect(listed).not.toContain(shop.userId(MINA));
  });

  it('READ2 AUTH5 the new owner of an e-mail address never gets a list that was cached for the previous owner under the same URL', async () => {
    const { people, enter, squatter, orderId } = await openSquatted();
    const orders = `/individual?email=${MINA}`;
    const ofSquatter = await squatter.call('GET', orders);
    expect(ofSquatter.body).toMatchObject([{ _id: orderId }]);
    people.accounts.delete('squatter');
    people.put('owner', MINA);
    const owner = await enter('owner', MINA);
    const known = { 'if-none-match': String(ofSquatter.headers.get('etag')), 'cache-control': 'max-age=0' };
    for (const headers of [{}, known]) {
      expect(await owner.call('GET', orders, undefined, headers)).toMatchObject({ status: 200, body: [] });
    }
  });

  it("AUTH5 the owner of an e-mail address can sign in even if the squatter's account still exists, as long as it is unverified or has a new address", async () => {
    for (const left of [
      { email: MINA, emailVerified: false },
      { email: 'elsewhere@shop.test', emailVerified: true },
    ]) {
      const { shop, people, enter } = await openLive();
      people.put('squatter', MINA, UNVERIFIED);
      await enter('squatter', MINA);
      people.put('squatter', left.email, left);
      people.put('owner', MINA);
      await enter('owner', MINA);
      expect(await shop.history('user', shop.userId(MINA, 2)), left.email).toEqual(['UserRegistered']);
    }
  });

  it('AUTH5 an account keeps its e-mail address once the address is verified, even if the identity provider has disabled the account', async () => {
    for (const disabled of [false, true]) {
      const { shop, people, enter } = await openLive();
      people.put('first', MINA, UNVERIFIED);
      const first = await enter('first', MINA);
      people.put('first', MINA, { disabled });
      people.put('second', MINA);
      expect(await tryToEnter(shop, 'second', MINA)).toMatchObject({ status: 403, body: { code: 'other_account' } });
      // A disabled account can't make requests, but nobody else can take over its e-mail address.
      expect((await first.call('GET', `/users/${MINA}`)).status).toBe(disabled ? 401 : 200);
      expect(await shop.history('user', shop.userId(MINA))).toEqual(['UserRegistered']);
    }
  });

  it('AUTH5 while the identity provider is down, taking over an e-mail address gets a 503 and the old account stays open', async () => {
    const { shop, people, enter } = await openLive();
    people.put('first', MINA);
    await enter('first', MINA);
    people.accounts.delete('first');
    people.put('second', MINA);
    const { accounts } = people.identity;
    people.identity.accounts = () => Promise.reject(new IdentityUnavailable());
    const refused = await tryToEnter(shop, 'second', MINA);
    expect(refused).toMatchObject({ status: 503, body: { code: 'identity_unavailable' } });
    expect(await shop.history('user', shop.userId(MINA))).toEqual(['UserRegistered']);
    people.identity.accounts = accounts;
    expect((await tryToEnter(shop, 'second', MINA)).status).toBe(200);
  });

  it('AUTH5 the owner of an e-mail address in ADMIN_EMAILS becomes an admin by taking over the address, but a squatter never becomes an admin', async () => {
    const { shop, people, enter } = await openLive();
    people.accounts.delete('boss');
    people.put('squatter', BOSS, UNVERIFIED);
    const squatter = await enter('squatter', BOSS);
    expect((await squatter.call('GET', '/users')).status).toBe(403);
    people.accounts.delete('squatter');
    people.put('boss', BOSS);
    const boss = await enter('boss', BOSS);
    expect((await boss.call('GET', '/users')).status).toBe(200);
    expect(await shop.history('user', shop.userId(BOSS))).toEqual(['UserRegistered', 'AccountClosed']);
    expect(await shop.history('user', shop.userId(BOSS, 2))).toEqual(['UserRegistered', 'AdminGranted']);
    // If the only admin's account is deleted at the provider, that admin can sign up again and is still an admin.
    people.accounts.delete('boss');
    people.put('boss-again', BOSS);
    expect((await (await enter('boss-again', BOSS)).call('GET', '/users')).status).toBe(200);
    expect((await boss.call('GET', '/users')).status).toBe(401);
  });

  it('LOG2 if two accounts try to take over an e-mail address at the same time, only one of them gets it, and only one new generation starts', async () => {
    const { shop, people, enter } = await openLive();
    people.put('squatter', MINA, UNVERIFIED);
    await enter('squatter', MINA);
    people.accounts.delete('squatter');
    people.put('one', MINA);
    people.put('two', MINA);
    const answers = await Promise.all(
      ['one', 'two', 'one', 'two'].map((uid) => tryToEnter(shop, uid, MINA).then(({ status }) => `${uid} ${status}`)),
    );
    const [winner, loser] = answers[0] === 'one 200' ? ['one', 'two'] : ['two', 'one'];
    expect([...new Set(answers)].sort()).toEqual([`${winner} 200`, `${loser} 403`].sort());
    expect(await shop.history('user', shop.userId(MINA))).toEqual(['UserRegistered', 'AccountClosed']);
    expect(await shop.history('user', shop.userId(MINA, 2))).toEqual(['UserRegistered']);
    expect(await shop.history('user', shop.userId(MINA, 3))).toEqual([]);
  });

  it('LOG3 the next sign-in completes a takeover that failed after closing the old account', async () => {
    const { shop, people, enter } = await openLive();
    people.put('squatter', MINA, UNVERIFIED);
    await enter('squatter', MINA);
    people.accounts.delete('squatter');
    people.put('owner', MINA);
    const { append } = shop.core.log;
    shop.core.log.append = async (commit) => {
      if (commit.stream === `user-${shop.userId(MINA, 2)}`) throw new Error('cut');
      return append(commit);
    };
    expect((await tryToEnter(shop, 'owner', MINA)).status).toBe(500);
    shop.core.log.append = append;
    expect(await shop.history('user', shop.userId(MINA))).toEqual(['UserRegistered', 'AccountClosed']);
    await enter('owner', MINA);
    expect(await shop.history('user', shop.userId(MINA, 2))).toEqual(['UserRegistered']);
  });
});

describe('releasing an e-mail address', () => {
  const release = (person: Person, email: string) => person.call('POST', `/users/${email}/release`);

  it('AUTH5 once an admin has released an e-mail address, the next person to sign in with it starts with an empty account', async () => {
    const { shop, people, enter } = await openLive();
    const admin = await enter('boss', BOSS);
    people.put('stuck', MINA);
    const stuck = await enter('stuck', MINA);
    await stuck.call('PUT', `/users/${MINA}`, { address: 'Old Road 1' });
    expect(await release(admin, MINA)).toMatchObject({
      status: 200,
      body: { acknowledged: true, matchedCount: 1, modifiedCount: 1, version: 3 },
    });
    expect((await stuck.call('GET', `/users/${MINA}`)).status).toBe(401);
    expect((await release(admin, MINA)).status).toBe(404);
    expect((await release(admin, 'nobody@shop.test')).status).toBe(404);
    people.put('other', MINA, UNVERIFIED);
    const other = await enter('other', MINA);
    expect((await other.call('GET', `/users/${MINA}`)).body).toMatchObject([{ address: '', version: 1 }]);
    const events = await shop.events('user', shop.userId(MINA));
    expect(events.at(-1)).toMatchObject({
      type: 'AccountClosed',
      data: { reason: 'released' },
      actor: shop.userId(BOSS),
    });
  });

  it("C5 the last admin's e-mail address can't be released", async () => {
    const { shop, enter } = await openLive();
    const admin = await enter('boss', BOSS);
    await enter('rumi', 'rumi@shop.test');
    expect(await release(admin, BOSS)).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    await admin.call('PUT', '/users/admin/rumi@shop.test');
    expect((await release(admin, BOSS)).status).toBe(200);
    expect((await admin.call('GET', '/users')).status).toBe(401);
    expect(await shop.history('user', shop.userId(BOSS))).toEqual(['UserRegistered', 'AdminGranted', 'AccountClosed']);
  });
});

describe('signing up again with the identity emulator', () => {
  it("AUTH5 a customer who deletes their account and signs up again starts with an empty account, and the deleted account's token is refused", async () => {
    const test = await startTestEmulator();
    const origin = `http://${test.emulator.host}`;
    const identity = createFirebaseIdentity({ mode: 'demo', projectId: PROJECT, emulatorHost: test.emulator.host });
    try {
      const shop = await open(() => ({ identity }));
      const credentials = { email: MINA, password: 'secret1' };
      const first = await callAccounts(origin, 'signUp', credentials);
      const before = await signIn(shop.url, MINA, first.idToken);
      await before.call('PUT', `/users/${MINA}`, { address: 'Old Road 1' });
      await callAccounts(origin, 'delete', { idToken: first.idToken });
      const second = await callAccounts(origin, 'signUp', credentials);
      expect(second.localId).not.toBe(first.localId);
      const after = await signIn(shop.url, MINA, second.idToken);
      expect((await after.call('GET', `/users/${MINA}`)).body).toMatchObject([{ address: '', version: 1 }]);
      expect((await before.call('GET', `/users/${MINA}`)).status).toBe(401);
    } finally {
      await identity.close();
      await test.dispose();
    }
  }, 60_000);
});
