import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';

/** What SQLite keeps beside a file while it is open. */
export const SQLITE_COMPANIONS = ['-wal', '-shm'] as const;

/** Makes a SQLite file, or takes over one that is there, readable by its owner alone, its companions too. */
export function ownerOnly(file: string): void {
  // SQLite gives its companions the mode of the file, but those of an earlier start keep theirs.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  for (const companion of SQLITE_COMPANIONS.map((ending) => `${file}${ending}`)) {
    if (existsSync(companion)) chmodSync(companion, 0o600);
  }
}

/** Closes a directory to others, unless it belongs to everybody, such as /tmp, or to somebody else, such as a mounted volume. */
export function ownerOnlyDirectory(directory: string): void {
  const { mode, uid } = statSync(directory);
  const shared = (mode & 0o1000) !== 0;
  if (!shared && uid === process.getuid?.()) chmodSync(directory, 0o700);
}
