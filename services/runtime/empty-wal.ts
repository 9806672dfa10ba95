import type { Database } from './sqlite.ts';

/**
 * How long a checkpoint waits for readers, in milliseconds. The time is short, because appends wait in the meantime and
 * a failed checkpoint is retried anyway.
 */
export const CHECKPOINT_WAIT_MS = 20;

/**
 * Checkpoints and truncates the WAL, so that no old pages are left in it. Returns false if a reader prevents that, for
 * example a backup in progress. The old pages are then still on disk.
 */
export function emptyWal(database: Database): boolean {
  const usual = database.pragma('busy_timeout');
  database.pragma(`busy_timeout = ${CHECKPOINT_WAIT_MS}`);
  try {
    // The first column, `busy`, is 1 if another connection blocked the checkpoint.
    return database.pragma('wal_checkpoint(TRUNCATE)') === 0;
  } finally {
    database.pragma(`busy_timeout = ${usual}`);
  }
}

/** Empties the WAL. The caller has to retry until this succeeds (ERASE1). @throws Error if another connection is reading */
export function wipeWal(database: Database): void {
  if (!emptyWal(database)) throw new Error(`The WAL of ${database.file} cannot be emptied while it is being read.`);
}
