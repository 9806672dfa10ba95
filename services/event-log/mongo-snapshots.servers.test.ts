import { inject } from 'vitest';
import { openFreshMongo } from '../test-servers/mongo-database.fixture.ts';
import { createMongoSnapshots } from './mongo-snapshots.ts';
import { snapshotsContract } from './snapshots.contract.ts';

snapshotsContract('MongoDB', async () => {
  const mongo = await openFreshMongo(inject('servers').mongoUrl);
  return {
    snapshots: createMongoSnapshots({ db: mongo.shop }),
    async spoil(stream) {
      await mongo.shop
        .collection<{ _id: string }>('snapshots')
        .insertOne({ _id: stream, version: 'x' } as { _id: string });
    },
    async dispose() {
      await mongo.shop.dropDatabase();
      await mongo.close();
    },
  };
});
