import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { CHECKPOINT_WAIT_MS } from '../../runtime/empty-wal.ts';
import { isFileLost } from '../../runtime/sqlite-file.ts';

const EVERY_MS = 1_000;
/** In pages of 4 kB. A longer WAL is restarted, and the writer waits while its last pages are written back. */
const LONG = 2_000;

/**
 * Brings what was written to the file `workerData` from its WAL into it, which takes two fsyncs of many pages, beside the appends
 * instead of between them. What this thread does not get done the writer does itself, at a longer WAL.
 */
const database = new Database(workerData as string, { timeout: CHECKPOINT_WAIT_MS });
database.pragma('synchronous = FULL');

setInterval(() => {
  try {
    const [{ log }] = database.pragma('wal_checkpoint(PASSIVE)') as [{ log: number }];
    if (log > LONG) database.pragma('wal_checkpoint(RESTART)');
  } catch (error) {
    // A disk that is full or gone fails the writer's appends, which say so.
    if (!isFileLost(error)) throw error;
  }
}, EVERY_MS);
