import { Worker } from 'node:worker_threads';
import { sqliteError } from '../../runtime/sqlite.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import type { ShopWriter, ShopWrites } from './sqlite-writes.ts';
import { threadProgram } from './thread-program.ts';

/** The `workerData` of a writer thread. Once the thread has closed the file, it sets `closed[0]` to 1. */
export interface WriterData {
  readonly file: string;
  readonly closed: Int32Array;
}

/**
 * The messages between the shop and its writer thread. The shop and the thread are always from the same build, so the
 * format can change freely.
 */
export interface WriteRequest {
  readonly number: number;
  readonly write: keyof ShopWrites;
  readonly args: readonly unknown[];
}
export interface WriteReply {
  /** The number of the request that this message replies to, or 0 in the message that reports that the thread is ready. */
  readonly number: number;
  readonly result?: unknown;
  readonly failure?: { readonly message: string; readonly errcode?: number };
}

export interface WriterThread {
  readonly writer: ShopWriter;
  /** Resolves once the thread is running and has opened the file. Until then, requests wait. */
  readonly ready: Promise<unknown>;
  /** Stops the thread after it has handled all earlier requests. */
  close(): Promise<void>;
}

/** How long a process that exits waits for its writer thread, in ms. */
const EXIT_WAIT_MS = 1_000;

interface Waiter {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Starts the thread that does all writes to a shop's file. From then on, other connections may only read the file. If
 * the thread exits on its own, calls `onEnded` once and rejects all pending and later requests. Some of the pending
 * writes may have been committed nevertheless (LOG2).
 */
export function startWriter(file: string, onEnded: (reason: string) => void, program?: URL): WriterThread {
  const closed = new Int32Array(new SharedArrayBuffer(4));
  const workerData: WriterData = { file, closed };
  const worker = new Worker(program ?? threadProgram('writer-thread'), { workerData });
  const waiting = new Map<number, Waiter>();
  let asked = 0;
  let ended: StoreUnavailable | null = null;
  let closing = false;

  worker.on('message', ({ number, result, failure }: WriteReply) => {
    const waiter = waiting.get(number);
    waiting.delete(number);
    if (failure) waiter?.reject(errorOf(failure));
    else waiter?.resolve(result);
  });
  let cause: unknown;
  worker.once('error', (error) => {
    cause = error;
  });
  // An exiting process terminates its threads, which must not happen while a thread runs SQLite (sqlite.ts).
  const closeBeforeExit = () => {
    worker.postMessage(null);
    Atomics.wait(closed, 0, 0, EXIT_WAIT_MS);
  };
  process.once('exit', closeBeforeExit);
  const ready = new Promise((resolve, reject) => waiting.set(0, { resolve, reject }));
  ready.catch(() => undefined);
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      process.off('exit', closeBeforeExit);
      ended = new StoreUnavailable(`The thread that writes ${file} has ended (${cause ?? `exit code ${code}`}).`, {
        cause,
      });
      for (const { reject } of waiting.values()) reject(ended);
      waiting.clear();
      if (!closing) onEnded(ended.message);
      resolve();
    });
  });

  const ask = (write: keyof ShopWrites, args: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      if (ended) return reject(ended);
      asked += 1;
      waiting.set(asked, { resolve, reject });
      worker.postMessage({ number: asked, write, args } satisfies WriteRequest);
    });
  const writes: readonly (keyof ShopWrites)[] = [
    'append',
    'saveDocuments',
    'clearDocuments',
    'recordProgress',
    'keepSnapshot',
    'clearSnapshots',
    'wipe',
  ];
  return {
    writer: Object.fromEntries(
      writes.map((write) => [write, (...args: unknown[]) => ask(write, args)]),
    ) as unknown as ShopWriter,
    ready,
    async close() {
      closing = true;
      if (!ended) worker.postMessage(null);
      await exited;
    },
  };
}

function errorOf({ message, errcode }: NonNullable<WriteReply['failure']>): Error {
  return errcode === undefined ? new Error(message) : sqliteError(message, errcode);
}
