import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DataDirError, KEYS_FILE, SHOP_FILE, writeDurably } from '../../runtime/data-dir.ts';
import { ReadableError } from '../../runtime/readable-error.ts';

export class BackupError extends ReadableError {
  override readonly name = 'BackupError';
}

/**
 * A backup's files, in the order in which they are copied. The log is copied before the keys, so that every copied
 * event has its key. Only a demo shop has the last two files.
 */
export const BACKUP_PARTS = [
  { name: SHOP_FILE, kind: 'sqlite', needed: true },
  { name: KEYS_FILE, kind: 'sqlite', needed: true },
  { name: 'secrets.json', kind: 'text', needed: true },
  { name: 'stripe.sqlite', kind: 'sqlite', needed: false },
  { name: 'identity.json', kind: 'text', needed: false },
] as const;
export type BackupPart = (typeof BACKUP_PARTS)[number];

const MANIFEST = 'backup.json';
/**
 * The file in a backup that lists the people erased since the backup was started. This file is written first, and the
 * manifest last. A backup taken by an earlier version of the shop gets this file only when someone is erased.
 */
const ERASED_SINCE = 'erased.json';
/** The file in the data directory that lists the directories of all known backups. */
const KNOWN_BACKUPS = 'backups.json';

const manifestSchema = z.object({
  format: z.literal('micro-center-backup'),
  formatVersion: z.literal(1),
  takenAt: z.iso.datetime(),
  events: z.number().int().nonnegative(),
  /** The SHA-256 of each file, in hex. */
  files: z.record(z.string(), z.string()),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

const listSchema = z.array(z.string().min(1));

/** Returns the backup's manifest after checking that all files match it. @throws BackupError */
export async function checkBackup(directory: string): Promise<BackupManifest> {
  const manifest = manifestSchema.safeParse(readJson(join(directory, MANIFEST)));
  if (!manifest.success)
    throw new BackupError(`${directory} holds no whole backup: its ${MANIFEST} is missing or damaged.`);
  const { files } = manifest.data;
  for (const { name, needed } of BACKUP_PARTS) {
    if (needed && !(name in files)) throw new BackupError(`The backup in ${directory} is missing ${name}.`);
  }
  for (const [name, digest] of Object.entries(files)) {
    if (!BACKUP_PARTS.some((part) => part.name === name))
      throw new BackupError(`${MANIFEST} lists ${name}, which isn't part of a backup.`);
    const file = join(directory, name);
    if (!existsSync(file)) throw new BackupError(`${file} is missing.`);
    if ((await sha256(file)) !== digest) throw new BackupError(`${file} is not as the backup left it: it is damaged.`);
  }
  return manifest.data;
}

export function writeManifest(directory: string, manifest: BackupManifest): void {
  writeJson(directory, MANIFEST, manifest);
}

export function knownBackups(dataDir: string): readonly string[] {
  return readList(join(dataDir, KNOWN_BACKUPS));
}

/** Registers the directory of a new backup, so that later erasures are recorded in it. */
export function beginBackup(dataDir: string, directory: string): void {
  writeJson(directory, ERASED_SINCE, []);
  rememberBackup(dataDir, directory);
}

/** Registers an existing backup, so that later erasures are recorded in its directory. */
export function rememberBackup(dataDir: string, directory: string): void {
  const known = new Set(knownBackups(dataDir)).add(directory);
  writeJson(dataDir, KNOWN_BACKUPS, [...known]);
}

/** Returns the people whose erasure was recorded after the backup was started. @throws DataDirError */
export function erasedBeside(directory: string): readonly string[] {
  return readList(join(directory, ERASED_SINCE));
}

/**
 * Records in the backup's directory that these people have been erased.
 * @throws BackupError if the directory holds no backup
 */
export function noteErasedBeside(directory: string, persons: readonly string[]): void {
  // While a backup's disk isn't mounted, its mount point is an empty directory. Don't write to that directory.
  if (![ERASED_SINCE, MANIFEST].some((name) => existsSync(join(directory, name)))) {
    throw new BackupError(`There is no backup in ${directory}.`);
  }
  const noted = erasedBeside(directory);
  const all = new Set([...noted, ...persons]);
  if (all.size > noted.length) writeJson(directory, ERASED_SINCE, [...all]);
}

export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function readList(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const list = listSchema.safeParse(readJson(file));
  if (!list.success) throw new DataDirError(`${file} is damaged.`);
  return list.data;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function writeJson(directory: string, name: string, value: unknown): void {
  writeDurably(directory, join(directory, name), `${JSON.stringify(value, null, 2)}\n`);
}
