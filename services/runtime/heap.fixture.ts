import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

/** Runs `work` and returns the growth of the heap in bytes. Garbage is collected before each measurement. */
export async function bytesKept(work: () => Promise<unknown>): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  await work();
  collectGarbage();
  return process.memoryUsage().heapUsed - before;
}
