import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';

/** Files that SQLite keeps beside an open one. */
export const SQLITE_COMPANIONS = ['-wal', '-shm'] as const;

/** Creates a SQLite file, or takes one over, so that only its owner can read it and its companions. */
export function ownerOnly(file: string): void {
  // SQLite gives new companions the mode of the file, but those of an earlier start keep theirs.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  for (const companion of SQLITE_COMPANIONS.map((ending) => `${file}${ending}`)) {
    if (existsSync(companion)) chmodSync(companion, 0o600);
  }
}

/** Leaves alone what belongs to everybody, such as /tmp, or to somebody else, such as a mounted volume. */
export function ownerOnlyDirectory(directory: string): void {
  const { mode, uid } = statSync(directory);
  const shared = (mode & 0o1000) !== 0;
  if (!shared && uid === process.getuid?.()) chmodSync(directory, 0o700);
}
