import { statSync } from 'node:fs';
import type { Every } from './schedule.ts';

const LOOK_MS = 1_000;

/**
 * Calls `onLost` once if one of the files is deleted or replaced. Anything written to the old file after that would be
 * lost.
 * @returns a function that stops watching
 */
export function watchFiles(files: readonly string[], every: Every, onLost: (file: string) => void): () => void {
  const known = new Map<string, string>();
  const look = () => {
    const lost = files.find((file) => {
      const found = identityOf(file);
      const before = known.get(file);
      if (before === undefined && found !== null) known.set(file, found);
      return before !== undefined && before !== found;
    });
    if (lost === undefined) return;
    stop();
    onLost(lost);
  };
  const stop = every(LOOK_MS, look);
  look();
  return () => stop();
}

/**
 * Identifies the file at this path. The result changes if the file is replaced by another one, and is null if there is
 * no file.
 */
function identityOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
