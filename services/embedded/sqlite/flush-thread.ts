import { fdatasyncSync, openSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const EVERY_MS = 50;

/**
 * Flushes the file `workerData` to disk while another thread writes it. Without this thread, a large copy would stay in
 * memory until it's synced, and an append that syncs at that moment would wait until the disk has written all of it.
 */
const file = openSync(workerData as string, 'r');
setInterval(() => fdatasyncSync(file), EVERY_MS);
