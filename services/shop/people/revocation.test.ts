import { describe, expect, it } from 'vitest';
import { BEGIN, testShops } from '../../http/test-shop.fixture.ts';
import { IdentityUnavailable } from '../../identity/identity-provider.ts';
import { createPeople } from '../../identity/people.fixture.ts';
import { signIn } from '../../whole-shop/shop-client.fixture.ts';

const open = testShops();
const MINA = 'mina@shop.test';
const MINUTE = 60_000;

/** Opens a shop whose identity provider knows Mina, and signs Mina in. */
async function openWithMina() {
  const people = createPeople();
  people.put('mina', MINA, { sessionsValidFrom: BEGIN });
  const shop = await open(() => ({ identity: people.identity }));
  return { people, shop, mina: await signIn(shop.url, MINA, 'mina') };
}

describe('accounts and sessions revoked at the identity provider', () => {
  it.each<[string, (people: ReturnType<typeof createPeople>) => void]>([
    ['a deleted account', (people) => people.accounts.delete('mina')],
    ['a disabled account', (people) => people.put('mina', MINA, { disabled: true })],
    ['ended sessions', (people) => people.put('mina', MINA, { sessionsValidFrom: BEGIN + 1000 })],
  ])('AUTH6 a user with %s can no longer read or write after a minute', async (_case, change) => {
    const { people, shop, mina } = await openWithMina();
    expect((await mina.call('GET', `/users/${MINA}`)).status).toBe(200);
    const before = await shop.eventCount();
    change(people);
    shop.advance(MINUTE);
    expect(await mina.call('GET', `/users/${MINA}`)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect((await mina.call('PUT', `/users/${MINA}`, { address: 'Here' })).status).toBe(401);
    expect((await mina.call('POST', '/orders', {})).status).toBe(401);
    expect(await shop.eventCount()).toBe(before);
  });

  it('AUTH6 a user whose sessions were ended can sign in again and use the new token, but not the old token', async () => {
    const { people, shop, mina } = await openWithMina();
    people.put('mina', MINA, { sessionsValidFrom: BEGIN + 30_000 });
    shop.advance(MINUTE);
    const again = await signIn(shop.url, MINA, 'mina');
    expect((await again.call('GET', `/users/${MINA}`)).status).toBe(200);
    expect((await mina.call('GET', `/users/${MINA}`)).status).toBe(401);
  });

  it('AUTH6 while the identity provider is down, an access token stays valid until it expires', async () => {
    const { people, shop, mina } = await openWithMina();
    people.identity.accounts = () => Promise.reject(new IdentityUnavailable());
    shop.advance(59 * MINUTE);
    expect((await mina.call('GET', `/users/${MINA}`)).status).toBe(200);
    expect(shop.lines.some((line) => line.includes('access tokens stay valid until they expire'))).toBe(true);
    shop.advance(2 * MINUTE);
    expect((await mina.call('GET', `/users/${MINA}`)).status).toBe(401);
  });

  it("AUTH5 a request with a correctly signed token gets a 401 if the token contains another account's uid", async () => {
    const { people, shop } = await openWithMina();
    people.put('other', MINA);
    const mint = (uid: string) => {
      const person = { uid, email: MINA, emailVerified: true, name: 'Mina', signedInAt: BEGIN };
      return shop.dependencies.accessTokens.mint(person, shop.userId(MINA));
    };
    const statusOf = async (uid: string) =>
      (await shop.call('GET', `/users/${MINA}`, { token: (await mint(uid)).token })).status;
    expect([await statusOf('mina'), await statusOf('other')]).toEqual([200, 401]);
  });
});
