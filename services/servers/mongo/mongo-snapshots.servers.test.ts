import { inject } from 'vitest';
import { snapshotsContract } from '../../engine/log/snapshots.contract.ts';
import { openFreshMongo } from '../test-servers/mongo-database.fixture.ts';
import { createMongoSnapshots } from './mongo-snapshots.ts';

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
