import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { createApi } from '../http/app.ts';
import { stockedShop, testShops } from '../http/test-shop.fixture.ts';
import { call } from '../whole-shop/shop-client.fixture.ts';
import { type MongoDatabases, openMongo } from './mongo/mongo.ts';
import { createMongoExclusive } from './mongo/mongo-exclusive.ts';
import { freshMongoUri } from './test-servers/mongo-database.fixture.ts';

const { mongoUrl } = inject('servers');
const open = testShops();

describe('admins of a shop that several processes serve', () => {
  const uri = freshMongoUri(mongoUrl);
  const mongos: MongoDatabases[] = [];
  afterEach(async () => {
    await mongos[0]?.shop.dropDatabase();
    for (const mongo of mongos.splice(0)) await mongo.close();
  });

  async function exclusive() {
    const mongo = await openMongo(uri);
    mongos.push(mongo);
    const onError = (error: unknown) => {
      throw error;
    };
    return createMongoExclusive({ db: mongo.shop, newId: randomUUID, onError });
  }

  it('C5 of two admins who end each other at once, at two processes, one stays', async () => {
    const [one, other] = [await exclusive(), await exclusive()];
    const shop = await open(() => ({ exclusive: one }));
    const second = createServer(createApi({ ...shop.dependencies, registry: new Registry(), exclusive: other })).listen(
      0,
      '127.0.0.1',
    );
    await once(second, 'listening');
    const url = `http://127.0.0.1:${(second.address() as AddressInfo).port}`;
    const { admin, shopper } = await stockedShop(shop);
    await shop.feed.caughtUp();
    const release = shop.holdProjection();
    await admin.call('PUT', `/users/admin/${shopper.email}`);
    const both = Promise.all([
      admin.call('DELETE', `/users/admin/${shopper.email}`),
      call(url, 'DELETE', `/users/admin/${admin.email}`, { token: shopper.token }),
    ]);
    // Both are under way, and counting waits for the projection: let go at once they must not count the same.
    for (let calls = 0; calls < 3; calls += 1) await shop.call('GET', '/healthz');
    release();
    const statuses = (await both).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, expect.toSatisfy((status) => status !== 200)]);
    await shop.feed.caughtUp();
    expect(await shop.core.readModels.adminIds()).toHaveLength(1);
    second.close();
  });
});
