import { parentPort, Worker, workerData } from 'node:worker_threads';
import { openShopDatabase } from './sqlite-database.ts';
import { shopWrites } from './sqlite-writes.ts';
import type { WriteReply, WriteRequest } from './start-writer.ts';
import { threadProgram } from './thread-program.ts';

/**
 * This thread is the only one that writes to the file named by `workerData`. It handles requests in order, and exits
 * when it receives null.
 */
const database = openShopDatabase(workerData as string);
const writes = shopWrites(database);

/**
 * The number of requests after which the checkpoint thread is started. Until then, the WAL is short, and the thread
 * would only cost time and memory.
 */
const BEFORE_CHECKPOINTS = 500;
let asks = 0;
let checkpoints: Worker | null = null;

/**
 * Starts the checkpoint thread. If that thread fails, the writer checkpoints the WAL itself once the WAL grows too
 * long, so a failure only costs time. The thread is restarted after another BEFORE_CHECKPOINTS requests.
 */
function startCheckpoints(): void {
  asks = 0;
  const failed = (error: unknown) => {
    checkpoints = null;
    process.emitWarning(`The thread that writes the WAL back has failed: ${error}`);
  };
  try {
    checkpoints = new Worker(threadProgram('checkpoint-thread'), { workerData }).once('error', failed);
  } catch (error) {
    failed(error);
  }
}

parentPort?.on('message', async (asked: WriteRequest | null) => {
  if (asked === null) {
    await checkpoints?.terminate();
    database.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(answer(asked));
    asks += 1;
    if (!checkpoints && asks >= BEFORE_CHECKPOINTS) startCheckpoints();
  }
});
parentPort?.postMessage({ number: 0 } satisfies WriteReply);

function answer({ number, write, args }: WriteRequest): WriteReply {
  try {
    return { number, result: (writes[write] as (...args: unknown[]) => unknown)(...args) };
  } catch (error) {
    // An error object loses its `code` when it's sent to another thread.
    const { message, code } = error as Error & { readonly code?: string };
    return { number, failure: { message, code } };
  }
}
