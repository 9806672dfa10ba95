import type { Db } from 'mongodb';
import { type Snapshots, snapshotSchema } from '../../engine/log/snapshots.ts';
import { isDuplicateKey } from './mongo.ts';

export function createMongoSnapshots({ db }: { readonly db: Db }): Snapshots {
  // An acknowledgement from one server is enough, because a snapshot that is lost in a failover is soon stored again.
  const snapshots = db.collection<{ _id: string }>('snapshots', { writeConcern: { w: 1 } });
  return {
    async find(stream) {
      return snapshotSchema.safeParse(await snapshots.findOne({ _id: stream })).data ?? null;
    },
    async keep(snapshot) {
      try {
        await snapshots.replaceOne({ _id: snapshot.stream }, { ...snapshot }, { upsert: true });
      } catch (error) {
        // A duplicate key means that another process stored the stream's first snapshot at the same moment.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async clear() {
      await snapshots.deleteMany({});
    },
  };
}
