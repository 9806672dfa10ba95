import { parentPort, Worker, workerData } from 'node:worker_threads';
import { openShopDatabase } from './sqlite-database.ts';
import { shopWrites } from './sqlite-writes.ts';
import type { WriteReply, WriteRequest } from './start-writer.ts';
import { threadProgram } from './thread-program.ts';

/** The thread that alone writes the file `workerData`, in the order in which it is asked; null ends it. */
const database = openShopDatabase(workerData as string);
const writes = shopWrites(database);

/** A thread takes time and memory: a shop that has written less than this has no long WAL. */
const BEFORE_CHECKPOINTS = 500;
let asks = 0;
let checkpoints: Worker | null = null;

/** Without this thread the writer still writes a long WAL back by itself, so a failure only costs time. It's started again later. */
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
    // An error that is sent to another thread loses its code.
    const { message, code } = error as Error & { readonly code?: string };
    return { number, failure: { message, code } };
  }
}
