import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ReadableError } from './readable-error.ts';

const BINARY = 'better-sqlite3/build/Release/better_sqlite3.node';

let isChecked = false;

/**
 * Checks that better-sqlite3's binary can't abort the process.
 * @throws ReadableError
 */
export function assertSafeBinary(): void {
  // Reads the file, which is 2 MB, only once and only on Node 24.
  if (isChecked || !isNode24(process.versions.node)) return;
  const file = createRequire(import.meta.url).resolve(BINARY);
  if (isUnsafe(process.versions.node, readFileSync(file))) {
    throw new ReadableError(
      `${file} was compiled with the headers of Node 24.19 or newer, and could crash the shop at any time: install the prebuilt binary, or compile it with the headers of Node 24.18 (see README.md).`,
    );
  }
  isChecked = true;
}

const isNode24 = (version: string) => version.startsWith('24.');

/**
 * Returns true if a binary was compiled with headers in which ObjectWrap removes a cleanup hook (nodejs/node#65446). On
 * Node 24, such a binary aborts the process when a statement is garbage-collected while no JavaScript is running.
 */
export const isUnsafe = (version: string, binary: Buffer): boolean =>
  isNode24(version) && binary.includes('RemoveEnvironmentCleanupHook');
