import { batchRequests } from '../../runtime/batch-requests.ts';
import type { Database } from '../../runtime/sqlite.ts';

/**
 * Runs `work`, and resolves with its return value once its writes are on disk. If `work` throws, rolls back its writes
 * and rejects with the error.
 */
export type Commit = <T>(work: () => T) => Promise<T>;

/** All work from one turn of the event loop shares a transaction, because most of a call's cost is syncing to disk. */
export function createGroupCommit(database: Database): Commit {
  function apart(work: () => unknown): unknown {
    try {
      return database.transaction(work);
    } catch (error) {
      return error;
    }
  }
  const commit = batchRequests<() => unknown, unknown>({
    send: async (all) => database.transaction(() => all.map(apart)),
    maxBatchSize: Number.POSITIVE_INFINITY,
    maxInFlight: 1,
  });
  return <T>(work: () => T) => commit(work) as Promise<T>;
}
