import { fdatasyncSync, openSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const EVERY_MS = 50;

/**
 * Flushes the file named by `workerData` to disk while another thread writes to it. Without this thread, a large copy
 * would stay in memory until the final sync, and an append that syncs at that moment would wait until the whole copy is
 * on disk.
 */
const file = openSync(workerData as string, 'r');
setInterval(() => fdatasyncSync(file), EVERY_MS);
