import type { Database } from 'better-sqlite3';

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
  const usual = database.pragma('busy_timeout', { simple: true });
  database.pragma(`busy_timeout = ${CHECKPOINT_WAIT_MS}`);
  try {
    const [{ busy }] = database.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    return busy === 0;
  } finally {
    database.pragma(`busy_timeout = ${usual}`);
  }
}

/** Empties the WAL. The caller has to retry until this succeeds (ERASE1). @throws Error if another connection is reading */
export function wipeWal(database: Database): void {
  if (!emptyWal(database)) throw new Error(`The WAL of ${database.name} cannot be emptied while it is being read.`);
}
