import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { freshId, freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { freshMongoUri } from '../test-servers/mongo-database.fixture.ts';
import { type MongoDatabases, openMongo } from './mongo.ts';
import { createMongoEventLog } from './mongo-event-log.ts';
import { KeptSecretsError, loadKeptSecrets } from './mongo-kept-secrets.ts';
import { createMongoKeyVault } from './mongo-key-vault.ts';

const { mongoUrl } = inject('servers');

describe('secrets that a shop stores in MongoDB', () => {
  let mongo: MongoDatabases;
  let other: MongoDatabases;
  beforeEach(async () => {
    const uri = freshMongoUri(mongoUrl);
    [mongo, other] = await Promise.all([openMongo(uri), openMongo(uri)]);
  });
  afterEach(async () => {
    await mongo.keys.dropDatabase();
    await mongo.shop.dropDatabase();
    await Promise.all([mongo.close(), other.close()]);
  });

  const at = ({ keys, shop }: MongoDatabases) => ({ db: keys, shop });
  const given = { userId: 'u'.repeat(64), idempotency: 'i'.repeat(64) };
  const stored = () => mongo.keys.collection('secrets').find().toArray();

  it("LOG3 a shop's secrets are 32 random bytes each, created once and stored with the keys rather than with the log", async () => {
    let byte = 0;
    const random = (bytes: number) => Buffer.alloc(bytes, ++byte);
    const secrets = await loadKeptSecrets({ ...at(mongo), random });
    expect(secrets).toEqual({ userId: '01'.repeat(32), idempotency: '02'.repeat(32) });
    expect(await loadKeptSecrets(at(other))).toEqual(secrets);
    expect(await stored()).toEqual([{ _id: 'shop', ...secrets }]);
    expect(await mongo.shop.listCollections().toArray()).toEqual([]);
  });

  it('LOG3 processes that start at the same time get the same secrets', async () => {
    for (let round = 0; round < 10; round += 1) {
      const starting = [mongo, other, mongo, other].map((one) => loadKeptSecrets(at(one)));
      const loaded = await Promise.all(starting);
      expect(new Set(loaded.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
      expect(new Set(Object.values(loaded[0] ?? {})).size).toBe(2);
      await mongo.keys.collection('secrets').deleteMany();
    }
  });

  it("LOG3 an imported shop's secrets are used if none are stored yet, and are kept at every later start", async () => {
    await createMongoKeyVault({ db: mongo.keys }).obtain(freshId());
    for (let start = 0; start < 2; start += 1) expect(await loadKeptSecrets({ ...at(mongo), given })).toEqual(given);
    expect(await loadKeptSecrets(at(other))).toEqual(given);
  });

  it("LOG3 stored secrets are not replaced by an imported shop's secrets", async () => {
    const kept = await loadKeptSecrets(at(mongo));
    for (const others of [given, { ...kept, userId: given.userId }, { ...kept, idempotency: given.idempotency }]) {
      const loading = loadKeptSecrets({ ...at(mongo), given: others });
      await expect(loading).rejects.toThrow(KeptSecretsError);
      await expect(loading).rejects.toThrow(/^Database test_\w+_keys holds the secrets of another shop: .*$/);
    }
    expect(await loadKeptSecrets(at(mongo))).toEqual(kept);
  });

  it('LOG3 if stored secrets are damaged, or are missing although keys exist, an error is thrown and no new secrets are created', async () => {
    const damaged = { _id: 'shop', ...given, userId: 'short' };
    await mongo.keys.collection<typeof damaged>('secrets').insertOne(damaged);
    await expect(loadKeptSecrets(at(mongo))).rejects.toThrow(/are damaged: restore them/);
    await mongo.keys.collection('secrets').deleteMany();
    await createMongoKeyVault({ db: mongo.keys }).obtain(freshId());
    await expect(loadKeptSecrets(at(mongo))).rejects.toThrow(/are missing in database test_\w+_keys: restore it/);
    expect(await stored()).toEqual([]);
  });

  it('LOG3 no new secrets are created if the whole key database was lost but the log still exists', async () => {
    const log = await createMongoEventLog({ db: mongo.shop });
    await loadKeptSecrets(at(mongo));
    await log.append(sampleCommit(freshStream(), 0));
    await mongo.keys.dropDatabase();
    await expect(loadKeptSecrets(at(mongo))).rejects.toThrow(KeptSecretsError);
    expect(await loadKeptSecrets({ ...at(mongo), given })).toEqual(given);
  });
});
