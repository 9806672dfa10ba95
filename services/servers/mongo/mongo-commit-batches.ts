import { BSON, type Collection } from 'mongodb';
import { InvalidCommit } from '../../engine/log/event-log.ts';
import { batchRequests } from '../../runtime/batch-requests.ts';
import { duplicateKeys, isDuplicateKey } from './mongo.ts';
import type { CommitDocument } from './mongo-commits.ts';

/** Commits are 1 MB of JSON at most, and one message to the server holds 48 MB. */
const INSERTS_AT_ONCE = 32;
const LOOKUPS_AT_ONCE = 64;
/** With two, a batch that hangs does not hold up all others until its connection is closed. */
const MAX_IN_FLIGHT = 2;

type Inserted = 'inserted' | 'taken';

export interface CommitBatches {
  /**
   * Durable or refused by itself. @throws InvalidCommit where it cannot be stored; after other errors the outcome is unknown
   */
  insert(commit: CommitDocument): Promise<Inserted>;
  find(names: readonly string[]): Promise<readonly CommitDocument[]>;
}

export function createCommitBatches(commits: Collection<CommitDocument>): CommitBatches {
  async function insertOne(commit: CommitDocument): Promise<Inserted> {
    try {
      await commits.insertOne(commit);
      return 'inserted';
    } catch (error) {
      if (isDuplicateKey(error)) return 'taken';
      if (!(error instanceof BSON.BSONError)) throw error;
      // The driver could not encode it: nothing was sent.
      throw new InvalidCommit(`Commit ${commit.commit} cannot be stored.`, { cause: error });
    }
  }

  /** One by one, so that one fault does not fail the others. */
  async function insertEach(batch: readonly CommitDocument[]): Promise<(Inserted | Error)[]> {
    return Promise.all(batch.map((commit) => insertOne(commit).catch((error: Error) => error)));
  }

  async function insertAll(batch: readonly CommitDocument[]): Promise<(Inserted | Error)[]> {
    if (batch.length === 1) return insertEach(batch);
    try {
      await commits.insertMany(batch, { ordered: false });
      return batch.map(() => 'inserted');
    } catch (error) {
      // One of them cannot be encoded; the driver encodes all before it sends any.
      if (error instanceof BSON.BSONError) return insertEach(batch);
      const taken = new Set(duplicateKeys(error));
      return batch.map((_, index) => (taken.has(index) ? 'taken' : 'inserted'));
    }
  }

  async function findAll(lookups: readonly (readonly string[])[]): Promise<CommitDocument[][]> {
    const found = await commits.find({ _id: { $in: lookups.flat() } }).toArray();
    const byName = new Map(found.map((commit) => [commit._id, commit]));
    return lookups.map((names) => names.flatMap((name) => byName.get(name) ?? []));
  }

  return {
    insert: batchRequests({ send: insertAll, maxBatchSize: INSERTS_AT_ONCE, maxInFlight: MAX_IN_FLIGHT }),
    find: batchRequests({ send: findAll, maxBatchSize: LOOKUPS_AT_ONCE, maxInFlight: MAX_IN_FLIGHT }),
  };
}
