import { parentPort, Worker, workerData } from 'node:worker_threads';
import { isSqliteError } from '../../runtime/sqlite.ts';
import { openShopDatabase } from './sqlite-database.ts';
import { shopWrites } from './sqlite-writes.ts';
import type { WriteReply, WriteRequest, WriterData } from './start-writer.ts';
import { threadProgram } from './thread-program.ts';

/**
 * This thread is the only one that writes to the file named by `workerData`. It handles requests in order, and exits
 * when it receives null.
 */
const { file, closed } = workerData as WriterData;
const database = openShopDatabase(file);
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
  const failed = (error: unknown) => process.emitWarning(`The thread that writes the WAL back has failed: ${error}`);
  try {
    checkpoints = new Worker(threadProgram('checkpoint-thread'), { workerData: file });
    checkpoints.once('error', failed);
    checkpoints.once('exit', () => {
      checkpoints = null;
    });
  } catch (error) {
    failed(error);
  }
}

/** Asks the checkpoint thread to exit, because a thread that runs SQLite must not be terminated (sqlite.ts). */
async function stopCheckpoints(thread: Worker): Promise<void> {
  const exited = new Promise((resolve) => thread.once('exit', resolve));
  thread.postMessage(null);
  await exited;
}

parentPort?.on('message', async (asked: WriteRequest | null) => {
  if (asked === null) {
    if (checkpoints) await stopCheckpoints(checkpoints);
    database.close();
    Atomics.store(closed, 0, 1);
    Atomics.notify(closed, 0);
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
    // An error object loses its `errcode` when it's sent to another thread.
    const { message } = error as Error;
    return { number, failure: isSqliteError(error) ? { message, errcode: error.errcode } : { message } };
  }
}
