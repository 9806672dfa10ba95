import type { Database } from 'better-sqlite3';

/** In milliseconds. Short, because appends wait while a checkpoint waits for readers. A failed checkpoint is retried anyway. */
export const CHECKPOINT_WAIT_MS = 20;

/**
 * Writes the WAL back to the database and truncates it, so that it holds no old pages. Returns false if a reader prevents that,
 * such as a backup that is still copying. The old pages are then still on disk.
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

/** Does the same for a caller that retries until it succeeds (ERASE1). @throws Error while a reader prevents it */
export function wipeWal(database: Database): void {
  if (!emptyWal(database)) throw new Error(`The WAL of ${database.name} cannot be emptied while it is being read.`);
}
