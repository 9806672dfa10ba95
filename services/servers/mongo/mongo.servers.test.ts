import { setTimeout as wait } from 'node:timers/promises';
import { MongoBulkWriteError, type WriteConcernError } from 'mongodb';
import { describe, expect, inject, it, vi } from 'vitest';
import { freshMongoUri, openFreshMongo } from '../test-servers/mongo-database.fixture.ts';
import { startTcpProxy } from '../test-servers/tcp-proxy.fixture.ts';
import { duplicateKeys, openMongo } from './mongo.ts';
import { createMongoKeyVault } from './mongo-key-vault.ts';

const { mongoUrl } = inject('servers');

describe('MongoDB connection', () => {
  it('openMongo() opens the database that the connection string names, and a separate database for the keys', async () => {
    const uri = freshMongoUri(mongoUrl);
    const mongo = await openMongo(`${uri}?retryWrites=false`);
    const name = uri.slice(uri.lastIndexOf('/') + 1);
    expect([mongo.shop.databaseName, mongo.keys.databaseName]).toEqual([name, `${name}_keys`]);
    await mongo.ping();
    await mongo.close();
  });

  it("LOG3 keys are stored only in the database that MONGODB_KEYS_URI names, and not in the log's deployment", async () => {
    const [uri, keysUri] = [freshMongoUri(mongoUrl), freshMongoUri(mongoUrl)];
    const name = (of: string) => of.slice(of.lastIndexOf('/') + 1);
    const mongo = await openMongo(uri, keysUri);
    await (await createMongoKeyVault({ db: mongo.keys })).obtain('a person');
    expect([mongo.shop.databaseName, mongo.keys.databaseName]).toEqual([name(uri), name(keysUri)]);
    await mongo.ping();
    await mongo.close();
    const beside = await openMongo(uri);
    expect(await beside.keys.listCollections().toArray()).toEqual([]);
    await beside.close();
    const unnamed = await openMongo(uri, mongoUrl);
    expect(unnamed.keys.databaseName).toBe(`${name(uri)}_keys`);
    await unnamed.close();
  });

  it.each(['', '/', '/?appName=x'])(
    'openMongo() opens the database micro_center if the connection string ends in %o',
    async (ending) => {
      const mongo = await openMongo(`${mongoUrl}${ending}`);
      expect(mongo.shop.databaseName).toBe('micro_center');
      expect(mongo.keys.databaseName).toBe('micro_center_keys');
      await mongo.close();
    },
  );

  it('LOG1 MongoDB writes are durable and reads return only durable data, whatever the connection string specifies', async () => {
    const mongo = await openMongo(`${freshMongoUri(mongoUrl)}?w=0&readConcernLevel=local&readPreference=secondary`);
    for (const database of [mongo.shop, mongo.keys]) {
      expect(database.writeConcern).toMatchObject({ w: 'majority', journal: true });
      expect(database.readConcern).toMatchObject({ level: 'majority' });
      expect(database.readPreference).toMatchObject({ mode: 'primary' });
    }
    await mongo.close();
  });

  it('LOG1 a write that is not durable throws an error, even if it also violates a unique key', async () => {
    const mongo = await openFreshMongo(mongoUrl);
    const insertOne = { document: { one: 1 } };
    const error = await mongo.shop
      .collection('things')
      .bulkWrite([{ insertOne }, { insertOne }], { ordered: false })
      .catch((caught: unknown) => caught);
    if (!(error instanceof MongoBulkWriteError)) throw new Error('The second insert was not refused.');
    expect(duplicateKeys(error)).toEqual([1]);
    const timedOut = { code: 64, errmsg: 'waiting for replication timed out' } as WriteConcernError;
    vi.spyOn(error.result, 'getWriteConcernError').mockReturnValue(timedOut);
    expect(() => duplicateKeys(error)).toThrow(error);
    await mongo.shop.dropDatabase();
    await mongo.close();
  });

  it('openMongo() succeeds even if the server is silent for longer than the server selection timeout', async () => {
    const uri = new URL(freshMongoUri(mongoUrl));
    const proxy = await startTcpProxy(Number(uri.port));
    proxy.holdAnswers();
    const opening = openMongo(`mongodb://127.0.0.1:${proxy.port}${uri.pathname}`);
    const looked = await Promise.race([opening, wait(6_000, 'still looking')]);
    await proxy.restore();
    const mongo = await opening;
    await mongo.ping();
    await mongo.close();
    await proxy.close();
    expect(looked).toBe('still looking');
  });
});
