import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import { SHOP_FILE } from '../../runtime/data-dir.ts';
import { Database } from '../../runtime/sqlite.ts';
import {
  BACKUP_PARTS,
  BackupError,
  type BackupManifest,
  type BackupPart,
  beginBackup,
  sha256,
  writeManifest,
} from './backup-files.ts';
import { copyDatabase, copyLog, sync } from './copy-database.ts';

/**
 * Takes a backup, even while the shop is running. The backup contains every event that was acknowledged before the call
 * (BACKUP1). @throws BackupError
 */
export async function takeBackup(options: {
  readonly dataDir: string;
  readonly directory: string;
  readonly clock: Clock;
}): Promise<BackupManifest> {
  const { dataDir, clock } = options;
  const directory = resolve(options.directory);
  const takenAt = isoTime(clock());
  const parts = BACKUP_PARTS.filter(({ name, needed }) => needed || existsSync(join(dataDir, name)));
  const missing = parts.find(({ name }) => !existsSync(join(dataDir, name)));
  if (missing) throw new BackupError(`${join(dataDir, missing.name)} is missing: the shop to back up is incomplete.`);
  makeEmpty(directory);
  // The backup is registered before anything is copied, so that erasures made during the copy are recorded in it too.
  beginBackup(dataDir, directory);
  const files: Record<string, string> = {};
  for (const part of parts) {
    const copy = join(directory, part.name);
    await copyPart(part, join(dataDir, part.name), copy);
    files[part.name] = await sha256(copy);
  }
  const manifest: BackupManifest = {
    format: 'micro-center-backup',
    formatVersion: 1,
    takenAt,
    events: countEvents(join(directory, SHOP_FILE)),
    files,
  };
  writeManifest(directory, manifest);
  return manifest;
}

function makeEmpty(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (readdirSync(directory).length > 0) {
    throw new BackupError(`${directory} is not empty: use a new directory for each backup.`);
  }
}

async function copyPart({ name, kind }: BackupPart, from: string, to: string): Promise<void> {
  if (kind === 'text') {
    copyFileSync(from, to);
    chmodSync(to, 0o600);
    sync(to);
  } else await (name === SHOP_FILE ? copyLog : copyDatabase)(from, to);
}

function countEvents(file: string): number {
  const database = new Database(file, { readOnly: true });
  const { events = 0 } = database.prepare<[], { events: number }>('SELECT count(*) AS events FROM events').get() ?? {};
  database.close();
  return events;
}
