import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { createCommandHandler, Overloaded } from '../../engine/commands/command-handler.ts';
import { createApi } from '../../http/app.ts';
import { stockedShop, type TestShop, testShops } from '../../http/test-shop.fixture.ts';
import { ROUTES } from '../../process/route-table.ts';
import { call } from '../../whole-shop/shop-client.fixture.ts';
import { createAccounts } from './accounts-flow.ts';
import { allAdmins } from './user-documents.ts';

const open = testShops();
const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts another copy of the API on the same log, with its own command handler, and returns the copy's URL. */
async function secondCopy({ core, dependencies }: TestShop): Promise<string> {
  const handler = createCommandHandler({ log: core.log, sealing: core.sealing, newId: randomUUID });
  const accounts = createAccounts(handler, dependencies.secrets.userId);
  const server = createServer(createApi({ ...dependencies, handler, accounts, registry: new Registry() }, ROUTES));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Holds back appends to the admins' stream until the given number of API copies are ready to append to it. */
function meetAtAdmins({ core }: TestShop, copies: number): void {
  const { append } = core.log;
  let [come, release] = [0, () => {}];
  const allCome = new Promise<void>((resolve) => {
    release = resolve;
  });
  core.log.append = async (commit) => {
    if (commit.stream.startsWith('admins-')) {
      come += 1;
      if (come === copies) release();
      await allCome;
    }
    return append(commit);
  };
}

describe('the last admin, with two copies of the API', () => {
  const ways: Record<string, (email: string) => readonly [string, string]> = {
    "revoke each other's role": (email: string) => ['DELETE', `/users/admin/${email}`],
    "release each other's e-mail": (email: string) => ['POST', `/users/${email}/release`],
    'erase each other': (email: string) => ['DELETE', `/users/${email}`],
  };
  it.each(Object.entries(ways))('AUTH2 CMD2 C5 if two admins %s at once, one stays an admin', async (_what, way) => {
    const shop = await open();
    const url = await secondCopy(shop);
    const { admin, shopper } = await stockedShop(shop);
    await admin.call('PUT', `/users/admin/${shopper.email}`);
    meetAtAdmins(shop, 2);
    const answers = await Promise.all([
      admin.call(...way(shopper.email)),
      call(url, ...way(admin.email), { token: shopper.token }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'last_admin' });
    const after = await Promise.all([admin, shopper].map((person) => person.call('GET', '/users')));
    expect(after.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('the last admin', () => {
  it("C5 if two admins revoke each other's role at once through the same copy of the API, one of them stays an admin", async () => {
    const shop = await open();
    const { admin, shopper } = await stockedShop(shop);
    await shop.feed.caughtUp();
    const release = shop.holdProjection();
    await admin.call('PUT', `/users/admin/${shopper.email}`);
    const both = Promise.all([
      admin.call('DELETE', `/users/admin/${shopper.email}`),
      shopper.call('DELETE', `/users/admin/${admin.email}`),
    ]);
    // These requests give both revocations time to run before the projection is released, so that neither can rely on
    // projected roles.
    for (let call = 0; call < 3; call += 1) await shop.call('GET', '/healthz');
    release();
    const answers = await both;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.toSatisfy((status) => status !== 200)]);
    await shop.feed.caughtUp();
    expect(await shop.core.readModels.findIds(allAdmins)).toHaveLength(1);
  });

  it("C5 the last admin's role can't be revoked while the projection is stalled, even on a second attempt", async () => {
    const shop = await open();
    const { admin, shopper } = await stockedShop(shop);
    await admin.call('PUT', `/users/admin/${shopper.email}`);
    await shop.feed.caughtUp();
    const release = shop.holdProjection();
    expect((await admin.call('DELETE', `/users/admin/${shopper.email}`)).status).toBe(200);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const answer = await admin.call('DELETE', `/users/admin/${admin.email}`);
      expect(answer, `attempt ${attempt}`).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    }
    release();
    expect((await admin.call('GET', `/admin/${admin.email}`)).body).toEqual({ admin: true });
  });

  it("C5 CMD5 while the admins' stream is overloaded, revoking a role fails with a 503, logs the cause and changes nothing", async () => {
    const full = new Overloaded('The queue is full.', { cause: new Error('an election') });
    const shop = await open(({ handler }) => ({
      handler: {
        ...handler,
        execute: (decider, id, command, meta, options) =>
          decider.kind === 'admins' && meta.cause.startsWith('delist')
            ? Promise.reject(full)
            : handler.execute(decider, id, command, meta, options),
      },
    }));
    const { admin, shopper } = await stockedShop(shop);
    await admin.call('PUT', `/users/admin/${shopper.email}`);
    const answer = await admin.call('DELETE', `/users/admin/${shopper.email}`);
    expect(answer).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(shop.lines.filter((line) => line.includes('an election'))).toHaveLength(1);
    expect(await shop.history('user', shop.userId(shopper.email))).toEqual(['UserRegistered', 'AdminGranted']);
  });

  it("ERASE1 AUTH2 a request to erase the last admin is refused and cancels none of the admin's orders", async () => {
    const shop = await open();
    const { admin, place } = await stockedShop(shop);
    const orderId = await place(1, admin);
    expect(await admin.call('DELETE', `/users/${admin.email}`)).toMatchObject({
      status: 409,
      body: { code: 'last_admin' },
    });
    expect(await shop.history('order', orderId)).toEqual(['OrderPlaced']);
  });
});
