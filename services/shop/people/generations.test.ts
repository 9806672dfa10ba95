import { describe, expect, it } from 'vitest';
import type { CloseReason } from '../../contracts/people/close-reasons.ts';
import { BEGIN, stockedShop, type TestShop, testShops } from '../../http/test-shop.fixture.ts';
import { isoTime } from '../../runtime/clock.ts';
import { closeAccount } from './admin-roles-flow.ts';

const open = testShops();
const RUMI = 'rumi@shop.test';

/** Closes the account `userId`, one of a person's account generations. */
async function close(shop: TestShop, userId: string, reason: CloseReason): Promise<void> {
  const meta = { cause: 'test:close', actor: 'system:test', correlationId: 'test', time: isoTime(BEGIN) };
  const outcome = await closeAccount(shop.core, userId, { reason }, meta);
  expect(outcome).toMatchObject({ kind: 'done' });
}

describe('successive accounts with the same e-mail address', () => {
  it('LOG3 requests from a closed account get a 401, and the next sign-in with its e-mail address starts a new account that inherits nothing', async () => {
    const shop = await open();
    const { admin, shopper, place } = await stockedShop(shop);
    const orderId = await place();
    await shopper.call('PUT', `/users/${RUMI}`, { address: 'Old Road 1', phone: '0170000' });
    await admin.call('PUT', `/users/admin/${RUMI}`);
    await close(shop, shop.userId(RUMI), 'released');

    for (const path of [`/users/${RUMI}`, `/admin/${RUMI}`, `/individual?email=${RUMI}`, `/orders/${orderId}`]) {
      expect(await shopper.call('GET', path), path).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    }
    expect((await admin.call('GET', `/users/${RUMI}`)).status).toBe(404);
    expect((await admin.call('PUT', `/users/admin/${RUMI}`)).status).toBe(404);
    expect((await admin.call('GET', '/users')).body).toMatchObject([{ email: admin.email }]);

    const back = await shop.signIn(RUMI);
    const next = shop.userId(RUMI, 2);
    expect(await shop.history('user', next)).toEqual(['UserRegistered']);
    expect((await back.call('GET', `/users/${RUMI}`)).body).toMatchObject([
      { _id: next, role: 'customer', address: '', phone: '', version: 1 },
    ]);
    expect((await back.call('GET', `/admin/${RUMI}`)).body).toEqual({ admin: false });
    expect((await back.call('GET', `/individual?email=${RUMI}`)).body).toEqual([]);
    expect((await back.call('GET', `/orders/${orderId}`)).status).toBe(403);
    expect((await shopper.call('GET', `/users/${RUMI}`)).status).toBe(401);
    const listed = (await admin.call('GET', '/users')).body as { _id: string }[];
    expect(listed.map(({ _id }) => _id).sort()).toEqual([shop.userId(admin.email), next].sort());
    await close(shop, next, 'erased');
    await shop.signIn(RUMI);
    expect(await shop.history('user', shop.userId(RUMI, 3))).toEqual(['UserRegistered']);
  });

  it('LOG3 if an account is closed while its user is signing in, the sign-in is retried and starts a new account', async () => {
    const shop = await open();
    await shop.signIn(RUMI);
    const { execute } = shop.core.handler;
    shop.core.handler.execute = async (...command) => {
      shop.core.handler.execute = execute;
      await close(shop, shop.userId(RUMI), 'released');
      return execute(...command);
    };
    await shop.signIn(RUMI);
    expect(await shop.history('user', shop.userId(RUMI))).toEqual(['UserRegistered', 'AccountClosed']);
    expect(await shop.history('user', shop.userId(RUMI, 2))).toEqual(['UserRegistered']);
  });
});
