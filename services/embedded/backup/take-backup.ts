import { chmodSync, closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import { ownerOnly } from '../../runtime/owner-only.ts';
import {
  BACKUP_PARTS,
  BackupError,
  type BackupManifest,
  type BackupPart,
  rememberBackup,
  sha256,
  writeManifest,
} from './backup-files.ts';

/** Documents are left out, with every plain name and address: they can be rebuilt. */
const KEPT_TABLES = ['events', 'feed_checkpoints', 'feed_waiting'];

/** May run beside the shop; every event acknowledged before the call is in it (BACKUP1). @throws BackupError */
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
  if (missing) throw new BackupError(`${join(dataDir, missing.name)} is missing: there is no whole shop to back up.`);
  makeEmpty(directory);
  // First: an erasure while the keys are copied is then noted beside this backup already.
  rememberBackup(dataDir, directory);
  const files: Record<string, string> = {};
  for (const part of parts) {
    const copy = join(directory, part.name);
    copyPart(part, join(dataDir, part.name), copy);
    files[part.name] = await sha256(copy);
  }
  const manifest: BackupManifest = {
    format: 'micro-center-backup',
    formatVersion: 1,
    takenAt,
    events: countEvents(join(directory, BACKUP_PARTS[0].name)),
    files,
  };
  writeManifest(directory, manifest);
  return manifest;
}

function makeEmpty(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (readdirSync(directory).length > 0) {
    throw new BackupError(`${directory} is not empty: name a new directory for each backup.`);
  }
}

function copyPart({ name, kind }: BackupPart, from: string, to: string): void {
  if (kind === 'text') {
    copyFileSync(from, to);
    chmodSync(to, 0o600);
  } else vacuumInto(from, to);
  if (name === BACKUP_PARTS[0].name) dropDocuments(to);
  const descriptor = openSync(to, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A consistent copy that holds up no writer, however long it takes. */
function vacuumInto(from: string, to: string): void {
  ownerOnly(to);
  try {
    const database = new Database(from, { readonly: true, fileMustExist: true, timeout: 5_000 });
    try {
      database.prepare('VACUUM INTO ?').run(to);
    } finally {
      database.close();
    }
  } catch (error) {
    throw new BackupError(`${from} cannot be copied: ${(error as Error).message}.`, { cause: error });
  }
}

function dropDocuments(file: string): void {
  const database = new Database(file);
  // A virtual table takes its own tables with it.
  const next = database.prepare<[string], { name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
     AND name NOT IN (SELECT value FROM json_each(?)) ORDER BY sql NOT LIKE 'CREATE VIRTUAL%' LIMIT 1`,
  );
  const kept = JSON.stringify(KEPT_TABLES);
  for (let table = next.get(kept); table; table = next.get(kept)) database.exec(`DROP TABLE "${table.name}"`);
  database.exec('VACUUM');
  database.close();
}

function countEvents(file: string): number {
  const database = new Database(file, { readonly: true });
  const { events } = database.prepare('SELECT count(*) AS events FROM events').get() as { events: number };
  database.close();
  return events;
}
