import { Binary } from 'mongodb';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { keyVaultContract } from '../../engine/log/key-vault.contract.ts';
import { freshId } from '../../engine/log/sample-events.fixture.ts';
import { freshMongoUri } from '../test-servers/mongo-database.fixture.ts';
import { type MongoDatabases, openMongo } from './mongo.ts';
import { createMongoKeyVault } from './mongo-key-vault.ts';

const { mongoUrl } = inject('servers');

keyVaultContract('MongoDB', async () => {
  const uri = freshMongoUri(mongoUrl);
  let mongo = await openMongo(uri);
  let vault = createMongoKeyVault({ db: mongo.keys });
  const close = () => mongo.close();
  return {
    vault,
    async reopen() {
      await close();
      mongo = await openMongo(uri);
      vault = createMongoKeyVault({ db: mongo.keys });
      return vault;
    },
    async dispose() {
      await mongo.keys.dropDatabase();
      await close();
    },
  };
});

describe('MongoDB key vault', () => {
  let mongo: MongoDatabases;
  let other: MongoDatabases;
  beforeEach(async () => {
    const uri = freshMongoUri(mongoUrl);
    [mongo, other] = await Promise.all([openMongo(uri), openMongo(uri)]);
  });
  afterEach(async () => {
    await mongo.keys.dropDatabase();
    await Promise.all([mongo.close(), other.close()]);
  });

  it("LOG3 processes that request a person's key at the same time get the same key", async () => {
    const vaults = [mongo, other].map(({ keys }) => createMongoKeyVault({ db: keys }));
    for (let round = 0; round < 30; round += 1) {
      const person = freshId();
      const keys = await Promise.all([...vaults, ...vaults].map((vault) => vault.obtain(person)));
      expect(new Set(keys.map((key) => key?.toString('hex'))).size).toBe(1);
      expect(keys[0]).toHaveLength(32);
    }
  });

  it('LOG3 a person who is erased while their key is being created ends up without a key', async () => {
    const [maker, eraser] = [mongo, other].map(({ keys }) => createMongoKeyVault({ db: keys }));
    for (let round = 0; round < 30; round += 1) {
      const person = freshId();
      await Promise.all([maker?.obtain(person), eraser?.erase(person), maker?.erase(person), eraser?.obtain(person)]);
      expect(await maker?.find(person)).toBeNull();
      expect(await eraser?.obtain(person)).toBeNull();
    }
  });

  it('LOG3 keys are stored apart from the log and the documents, and no key is stored for an erased person', async () => {
    const vault = createMongoKeyVault({ db: mongo.keys, random: (bytes) => Buffer.alloc(bytes, 7) });
    const [person, erased] = [freshId(), freshId()];
    expect(await vault.obtain(person)).toEqual(Buffer.alloc(32, 7));
    await vault.obtain(erased);
    await vault.erase(erased);
    expect(await mongo.keys.collection<{ _id: string }>('keys').find().toArray()).toEqual(
      expect.arrayContaining([
        { _id: person, key: new Binary(Buffer.alloc(32, 7)) },
        { _id: erased, key: null },
      ]),
    );
    expect(await mongo.shop.listCollections().toArray()).toEqual([]);
  });

  it.each([{}, { key: 'text' }, { key: new Binary(Buffer.alloc(16)) }])(
    'LOG3 an invalid key document is not mistaken for that of an erased person: %o',
    async (document) => {
      const person = freshId();
      await mongo.keys.collection<{ _id: string }>('keys').insertOne({ _id: person, ...document });
      const vault = createMongoKeyVault({ db: mongo.keys });
      await expect(vault.find(person)).rejects.toThrow();
      await expect(vault.obtain(person)).rejects.toThrow();
    },
  );
});
