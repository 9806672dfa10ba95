import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';

/** The suffixes of the files that SQLite creates next to an open database. */
export const SQLITE_COMPANIONS = ['-wal', '-shm'] as const;

/** Makes a SQLite file and its -wal and -shm files accessible to their owner only. Creates the database file if it's missing. */
export function ownerOnly(file: string): void {
  // SQLite creates -wal and -shm files with the database file's mode, but existing ones keep their mode.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  for (const companion of SQLITE_COMPANIONS.map((ending) => `${file}${ending}`)) {
    if (existsSync(companion)) chmodSync(companion, 0o600);
  }
}

/**
 * Makes a directory accessible to its owner only. Skips shared directories such as /tmp, and directories that belong to
 * another user, such as a mounted volume.
 */
export function ownerOnlyDirectory(directory: string): void {
  const { mode, uid } = statSync(directory);
  const shared = (mode & 0o1000) !== 0;
  if (!shared && uid === process.getuid?.()) chmodSync(directory, 0o700);
}
