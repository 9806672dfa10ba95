import type { Database } from 'better-sqlite3';

/** In milliseconds. Appends wait behind a checkpoint that waits for readers, and there is always a next try. */
export const CHECKPOINT_WAIT_MS = 20;

/**
 * Writes the WAL back and empties it, so that it holds no old pages any more. Returns false where it is not empty, because
 * somebody reads, as a backup does for as long as it copies: the old pages are then still on the disk.
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

/** The same, for a caller that tries again until it's done (ERASE1). @throws Error while somebody reads */
export function wipeWal(database: Database): void {
  if (!emptyWal(database)) throw new Error(`The WAL of ${database.name} cannot be emptied while it is being read.`);
}
