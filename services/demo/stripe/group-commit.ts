import { batchRequests } from '../../runtime/batch-requests.ts';
import type { Database } from './database.ts';

/**
 * Runs `work`, and resolves with its return value once its writes are on disk. If `work` throws, rolls back its writes
 * and rejects with the error.
 */
export type Commit = <T>(work: () => T) => Promise<T>;

/** All work from one turn of the event loop shares a transaction, because most of a call's cost is syncing to disk. */
export function createGroupCommit(database: Database): Commit {
  const apart = database.transaction((work: () => unknown) => work());
  const together = database.transaction((all: readonly (() => unknown)[]) =>
    all.map((work) => {
      try {
        return apart(work);
      } catch (error) {
        return error;
      }
    }),
  );
  const commit = batchRequests<() => unknown, unknown>({
    send: async (all) => together.immediate(all),
    maxBatchSize: Number.POSITIVE_INFINITY,
    maxInFlight: 1,
  });
  return <T>(work: () => T) => commit(work) as Promise<T>;
}
