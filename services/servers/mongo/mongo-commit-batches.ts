import { BSON, type Collection } from 'mongodb';
import { InvalidCommit } from '../../engine/log/event-log.ts';
import { batchRequests } from '../../runtime/batch-requests.ts';
import { duplicateKeys } from './mongo.ts';
import type { CommitDocument } from './mongo-commits.ts';

/**
 * The maximum number of commits per batch. A commit is at most 1 MB of JSON, and the server accepts messages of up to
 * 48 MB.
 */
const INSERTS_AT_ONCE = 32;
const LOOKUPS_AT_ONCE = 64;
/**
 * Two batches may be in flight. If only one were allowed, a batch that hangs would block all other batches until its
 * connection is closed.
 */
const MAX_IN_FLIGHT = 2;

type Inserted = 'inserted' | 'taken';

export interface CommitBatches {
  /**
   * Inserts a commit durably, or returns 'taken' if its name is already in use. A refused commit doesn't affect the
   * others in its batch.
   * @throws InvalidCommit if the commit can't be stored. After any other error, the outcome is unknown.
   */
  insert(commit: CommitDocument): Promise<Inserted>;
  find(names: readonly string[]): Promise<readonly CommitDocument[]>;
}

export function createCommitBatches(commits: Collection<CommitDocument>): CommitBatches {
  async function insertAll(batch: readonly CommitDocument[]): Promise<Inserted[]> {
    try {
      await commits.insertMany(batch, { ordered: false });
      return batch.map(() => 'inserted');
    } catch (error) {
      // This error means that the driver couldn't encode one of the commits. The driver encodes a whole batch before
      // sending it, so nothing was sent.
      if (error instanceof BSON.BSONError) {
        throw new InvalidCommit(`Commit ${batch[0]?.commit} cannot be stored.`, { cause: error });
      }
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
    insert: batchRequests({
      send: insertAll,
      maxBatchSize: INSERTS_AT_ONCE,
      maxInFlight: MAX_IN_FLIGHT,
      sendAlone: (error) => error instanceof InvalidCommit,
    }),
    find: batchRequests({ send: findAll, maxBatchSize: LOOKUPS_AT_ONCE, maxInFlight: MAX_IN_FLIGHT }),
  };
}
