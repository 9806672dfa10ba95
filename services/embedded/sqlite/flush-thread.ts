import { fdatasyncSync, openSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const EVERY_MS = 50;

/**
 * Brings the file `workerData` to the disk while another thread writes it. Without this thread a large copy stays in memory until
 * the copy is synced, and an append that syncs at that moment waits until the disk has taken all of it.
 */
const file = openSync(workerData as string, 'r');
setInterval(() => fdatasyncSync(file), EVERY_MS);
