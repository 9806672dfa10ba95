import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KEYS_FILE, SHOP_FILE } from '../../runtime/data-dir.ts';
import { createSqliteKeyVault } from '../sqlite/sqlite-key-vault.ts';
import { copyLog } from './copy-database.ts';

const REPLACED = 'replaced-';

/** Returns the path of the directory into which a restore at `time` moves the data directory's old files. */
export function replacedAt(dataDir: string, time: string): string {
  return join(dataDir, `${REPLACED}${time.replaceAll(':', '-')}`);
}

/**
 * Returns the directories into which restores have moved old files of the data directory that include encryption keys.
 */
export function replacedData(dataDir: string): string[] {
  const names = readdirSync(dataDir).filter((name) => name.startsWith(REPLACED));
  return names.map((name) => join(dataDir, name)).filter((one) => existsSync(join(one, KEYS_FILE)));
}

/**
 * Erases these people's encryption keys in `replaced`, a directory into which a restore has moved the data directory's
 * old files. Idempotent.
 * @throws UnusableDataError
 */
export async function eraseIn(replaced: string, persons: readonly string[]): Promise<void> {
  const vault = createSqliteKeyVault({ file: join(replaced, KEYS_FILE) });
  try {
    for (const person of persons) if (await vault.find(person)) await vault.erase(person);
  } finally {
    await vault.close();
  }
}

/**
 * Removes the documents from `replaced`, a directory into which a restore has moved the data directory's old files,
 * because documents contain names and addresses in plaintext.
 * @throws BackupError if the shop's file is damaged
 */
export async function dropDocuments(replaced: string): Promise<void> {
  const [file, log] = [join(replaced, SHOP_FILE), join(replaced, 'log.sqlite')];
  if (!existsSync(file)) return;
  try {
    // copyLog() closes the last connection to the old file, which makes SQLite remove the old WAL. Otherwise, the new
    // file would inherit the old WAL.
    await copyLog(file, log);
    renameSync(log, file);
  } finally {
    rmSync(log, { force: true });
  }
}
