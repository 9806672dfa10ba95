import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes the lines to a file that only its owner can read. The file gets its final name only once it is complete. */
export async function writeArchiveFile(file: string, lines: AsyncIterable<string>): Promise<void> {
  const unfinished = `${file}.unfinished`;
  async function* withNewlines() {
    for await (const line of lines) yield `${line}\n`;
  }
  await pipeline(Readable.from(withNewlines()), createWriteStream(unfinished, { mode: 0o600 }));
  const handle = await open(unfinished, 'r');
  await handle.sync();
  await handle.close();
  await rename(unfinished, file);
}

export function readArchiveFile(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
}
