import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import { holdDataDir, KEYS_FILE } from '../../runtime/data-dir.ts';
import type { Logger } from '../../runtime/log.ts';
import { SQLITE_COMPANIONS } from '../../runtime/owner-only.ts';
import { erasedPersons, finishRestore } from '../../shop/people/finish-restore-flow.ts';
import { openEmbeddedCore } from '../embedded-core.ts';
import { createSqliteKeyVault } from '../sqlite/sqlite-key-vault.ts';
import {
  BACKUP_PARTS,
  BackupError,
  type BackupManifest,
  checkBackup,
  erasedBeside,
  rememberBackup,
} from './backup-files.ts';
import { dropDocuments, replacedAt } from './replaced-data.ts';

export interface Restored extends BackupManifest {
  readonly erased: number;
  /** The directory into which the old files were moved; null if there were no old files. */
  readonly replaced: string | null;
}

interface RestoreOptions {
  readonly directory: string;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Restores a backup: repeats the erasures made since the backup was taken (BACKUP1), rebuilds the documents, and moves
 * the data directory's old files aside.
 * @throws BackupError
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { dataDir, clock } = options;
  const directory = resolve(options.directory);
  const manifest = await checkBackup(directory);
  const lock = holdDataDir(dataDir);
  const stage = join(dataDir, 'restoring');
  try {
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage, { mode: 0o700 });
    for (const name of Object.keys(manifest.files)) {
      copyFileSync(join(directory, name), join(stage, name));
      chmodSync(join(stage, name), 0o600);
    }
    const since = [...erasedBeside(directory), ...(await erasedHere(dataDir))];
    const erased = await eraseAndRebuild(stage, since, options);
    rememberBackup(dataDir, directory);
    const replaced = replaceWith(stage, dataDir, isoTime(clock()));
    if (replaced !== null) await dropDocumentsOf(replaced, options.logger);
    return { ...manifest, erased, replaced };
  } finally {
    rmSync(stage, { recursive: true, force: true });
    lock.release();
  }
}

/**
 * Returns the people whose keys are erased in the data directory's current files, which are newer than the backup.
 * @throws BackupError
 */
async function erasedHere(dataDir: string): Promise<string[]> {
  const file = join(dataDir, KEYS_FILE);
  if (!existsSync(file)) return [];
  try {
    const vault = createSqliteKeyVault({ file });
    try {
      return await erasedPersons(vault);
    } finally {
      await vault.close();
    }
  } catch (error) {
    throw new BackupError(
      `${file} cannot be read, and it records the erasures since the backup: move it away to restore the backup without repeating them (${(error as Error).message}).`,
      { cause: error },
    );
  }
}

/**
 * Erases these people's keys, closes their accounts and rebuilds the documents. The rest of their data is erased when
 * the shop next starts. Returns the total number of erased people in the restored data.
 */
async function eraseAndRebuild(stage: string, since: readonly string[], options: RestoreOptions): Promise<number> {
  const core = openEmbeddedCore({ ...options, dataDir: stage });
  try {
    for (const person of new Set(since)) await core.vault.erase(person);
    await finishRestore(core, options.clock);
    await core.rebuild();
    return (await erasedPersons(core.vault)).length;
  } finally {
    await core.close();
  }
}

/**
 * Removes the documents from the directory into which the restore has moved the old files. A failure is only logged as
 * a warning, because damage to the old files may be the reason for the restore.
 */
async function dropDocumentsOf(replaced: string, logger: Logger): Promise<void> {
  try {
    await dropDocuments(replaced);
  } catch (error) {
    logger.warn(
      { err: error, replaced },
      'could not remove the documents from the directory with the old data: that directory still contains names and addresses, so delete it once it is no longer needed',
    );
  }
}

/** Replaces each file atomically. The keys are replaced first, so that no erasure is lost if a crash interrupts the replacement. */
function replaceWith(stage: string, dataDir: string, time: string): string | null {
  const aside = replacedAt(dataDir, time);
  const names = BACKUP_PARTS.map(({ name }) => name);
  const keysFirst = [KEYS_FILE, ...names.filter((name) => name !== KEYS_FILE)];
  mkdirSync(aside, { mode: 0o700 });
  for (const name of keysFirst) {
    for (const companion of SQLITE_COMPANIONS.map((ending) => `${name}${ending}`)) {
      if (existsSync(join(dataDir, companion))) renameSync(join(dataDir, companion), join(aside, companion));
    }
    const present = join(dataDir, name);
    if (existsSync(present)) linkSync(present, join(aside, name));
    if (existsSync(join(stage, name))) renameSync(join(stage, name), present);
    else rmSync(present, { force: true });
  }
  if (readdirSync(aside).length > 0) return aside;
  rmdirSync(aside);
  return null;
}
