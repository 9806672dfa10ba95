import { parentPort, workerData } from 'node:worker_threads';
import { CHECKPOINT_WAIT_MS } from '../../runtime/empty-wal.ts';
import { Database } from '../../runtime/sqlite.ts';
import { isFileLost } from '../../runtime/sqlite-file.ts';

const EVERY_MS = 1_000;
/**
 * The length, in pages of 4 kB, above which the WAL is restarted. A restart blocks the writer until the WAL's last
 * pages have been checkpointed.
 */
const LONG = 2_000;

/**
 * Checkpoints the WAL of the file named by `workerData`. A checkpoint takes two fsyncs of many pages. This thread does
 * both fsyncs in parallel with appends, which would otherwise have to wait. If this thread falls behind, the writer
 * checkpoints the WAL itself once the WAL reaches the length set by `wal_autocheckpoint`. The thread exits when it
 * receives a message.
 */
const database = new Database(workerData as string, { timeout: CHECKPOINT_WAIT_MS });
database.pragma('synchronous = FULL');
const checkpoint = database.prepare<[], { log: number }>('PRAGMA wal_checkpoint(PASSIVE)');

const checkpoints = setInterval(() => {
  try {
    const { log = 0 } = checkpoint.get() ?? {};
    if (log > LONG) database.pragma('wal_checkpoint(RESTART)');
  } catch (error) {
    // Errors such as a full or missing disk aren't reported here, because the writer's appends will fail too and report
    // them.
    if (!isFileLost(error)) throw error;
  }
}, EVERY_MS);

parentPort?.once('message', () => {
  clearInterval(checkpoints);
  database.close();
  parentPort?.close();
});
