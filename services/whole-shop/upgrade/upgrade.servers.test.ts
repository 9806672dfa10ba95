import { join } from 'node:path';
import { BSON, MongoClient } from 'mongodb';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { readConfig } from '../../runtime/config.ts';
import { createLogger } from '../../runtime/log.ts';
import { openServersCore } from '../../servers/servers-core.ts';
import { checkInvariants } from '../check-invariants.fixture.ts';
import { LIGHT_ADMIN } from '../light-shop.fixture.ts';
import { runToItsEnd } from '../ready-process.fixture.ts';
import { orderList, orderOf, productOf, signIn } from '../shop-client.fixture.ts';
import { startShopOnServers } from '../shop-on-servers.fixture.ts';
import { freshDataDir } from '../shop-process.fixture.ts';
import {
  KEPT_ORDERS,
  KEPT_SERVERS_POISONED_PRODUCT,
  keptBuyer,
  keptServersLines,
  layKeptArchive,
  POISONED_PRODUCT,
} from './kept-version.fixture.ts';

const ONE_OF_EACH = { api: 1, projector: 1, live: 1 };

const data = freshDataDir();
afterAll(() => data.remove());

type Environment = Readonly<Record<string, string>>;
type KeptDocument = { database: 'shop' | 'keys'; collection: string; document: BSON.Document };

/** Copies the documents that version 0.1.0 stored in MongoDB into a shop's new databases. */
async function layKeptDatabase({ MONGODB_URI = '' }: Environment): Promise<void> {
  const client = await MongoClient.connect(MONGODB_URI);
  const shopName = MONGODB_URI.slice(MONGODB_URI.lastIndexOf('/') + 1);
  const batches = new Map<string, BSON.Document[]>();
  for (const line of keptServersLines()) {
    const { database, collection, document } = BSON.EJSON.parse(line, { relaxed: false }) as KeptDocument;
    const key = `${database} ${collection}`;
    batches.set(key, [...(batches.get(key) ?? []), document]);
  }
  for (const [key, documents] of batches) {
    const [database, collection = ''] = key.split(' ');
    const db = client.db(database === 'keys' ? `${shopName}_keys` : shopName);
    await db.collection(collection).insertMany(documents);
  }
  await client.close();
}

/**
 * Checks the invariants of a shop's log and documents, including that only the admins of version 0.1.0 were ever
 * granted the admin role.
 */
async function judge(environment: Environment) {
  const config = readConfig(environment);
  if (!config.servers) throw new Error('The configuration names no servers.');
  const core = await openServersCore({ config, servers: config.servers, logger: createLogger('silent') });
  try {
    const users = await core.readModels.listUsers({ limit: 100, sort: 'oldest' });
    const granted = [LIGHT_ADMIN, keptBuyer(0), keptBuyer(1)];
    return await checkInvariants(
      core,
      users.items.filter(({ email }) => granted.includes(email)).map(({ id }) => id),
    );
  } finally {
    await core.close();
  }
}

const laid = {
  'a database of version 0.1.0': { lay: layKeptDatabase, poisonedProduct: KEPT_SERVERS_POISONED_PRODUCT },
  'a log that version 0.1.0 exported': {
    lay: async (environment: Environment) => {
      const archive = join(data.path, 'shop-log.ndjson');
      layKeptArchive(archive);
      await runToItsEnd('import-log', [archive], environment);
    },
    poisonedProduct: POISONED_PRODUCT,
  },
};

describe.each(Object.entries(laid))('%s', (_what, { lay, poisonedProduct }) => {
  it('E1 LOG4 LOG1 PRJ3 ORD8 a shop on servers with data from version 0.1.0 keeps every order, finds orders by number, sells a product that version 0.1.0 could no longer read, and passes all invariant checks after a rebuild', async () => {
    const shop = await startShopOnServers(inject('servers'), ONE_OF_EACH, {}, lay);
    try {
      const admin = await signIn(shop.url, LIGHT_ADMIN);
      for (const [status, count] of Object.entries(KEPT_ORDERS)) {
        const listed = orderList(await admin.call('GET', `/orders?status=${status}&limit=1000`));
        expect(listed.length, status).toBe(count);
        const { _id, number = '' } = listed[0] ?? {};
        expect(number).toMatch(/^MC-X/);
        const found = orderList(await admin.call('GET', `/orders?status=${status}&q=${number}`));
        expect(found.map((order) => order._id)).toEqual([_id]);
      }
      const poisoned = productOf(await admin.call('GET', `/products/${poisonedProduct}`));
      expect(poisoned).toMatchObject({ price: 1000, description: 'poisoned by its price' });
      const buyer = await signIn(shop.url, keptBuyer(5));
      const order = { ...orderOf(buyer, poisonedProduct), product: poisoned.name };
      expect((await buyer.call('POST', '/orders', order)).status).toBe(201);
      const projectors = shop.running.projector.map(({ url }) => url);
      for (const url of projectors) {
        await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 60_000 }).toBe(200);
      }
      for (const role of ['live', 'api', 'projector'] as const) {
        for (const one of shop.running[role]) await shop.kill(role, one);
      }
      await runToItsEnd('rebuild', [], shop.environment);
      expect((await judge(shop.environment)).faults).toEqual([]);
    } finally {
      await shop.stop();
    }
  }, 300_000);
});
