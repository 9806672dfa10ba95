import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';

/** The suffixes of the files that SQLite creates next to an open database. */
export const SQLITE_COMPANIONS = ['-wal', '-shm'] as const;

/** Makes a SQLite file and its companions readable by their owner only. Creates the file if it's missing. */
export function ownerOnly(file: string): void {
  // SQLite gives new companions the mode of the database file, but existing ones keep their mode.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  for (const companion of SQLITE_COMPANIONS.map((ending) => `${file}${ending}`)) {
    if (existsSync(companion)) chmodSync(companion, 0o600);
  }
}

/** Closes a directory to other users. Leaves shared directories such as /tmp alone, and those of another owner such as a mounted volume. */
export function ownerOnlyDirectory(directory: string): void {
  const { mode, uid } = statSync(directory);
  const shared = (mode & 0o1000) !== 0;
  if (!shared && uid === process.getuid?.()) chmodSync(directory, 0o700);
}
