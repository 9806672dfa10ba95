import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import pLimit from 'p-limit';

const brotli = promisify(brotliCompress);
const ENCODERS = {
  br: (bytes: Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};
export type Encoding = keyof typeof ENCODERS;
export const ENCODINGS = Object.keys(ENCODERS).length;

const oneAtATime = pLimit(1);

/** Compresses off the main thread, one response at a time, to leave CPU time for the thread that writes events. */
export function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return oneAtATime(() => ENCODERS[encoding](bytes));
}
