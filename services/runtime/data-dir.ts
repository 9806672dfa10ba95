import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ownerOnly, ownerOnlyDirectory } from './owner-only.ts';
import { ReadableError } from './readable-error.ts';
import { Database, failedWith } from './sqlite.ts';

export class DataDirError extends ReadableError {
  override readonly name = 'DataDirError';
}

/** Creates the directory if it's missing, makes it accessible to its owner only, and locks it for this process. @throws DataDirError */
export function holdDataDir(directory: string): { release(): void } {
  makeWritable(directory);
  // SQLite locks the file through the operating system, which releases the lock however the process exits.
  let lock: Database | undefined;
  try {
    ownerOnlyDirectory(directory);
    const file = join(directory, 'lock.sqlite');
    ownerOnly(file);
    lock = new Database(file, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    if (error instanceof ReadableError) throw error;
    const reason = failedWith(error, 'BUSY')
      ? 'is in use by another running shop: stop it, or set DATA_DIR to another directory'
      : `cannot be used: ${(error as Error).message}`;
    throw new DataDirError(`The data directory ${directory} ${reason}.`);
  }
  const held = lock;
  return { release: () => held.close() };
}

/** A shop can't start with less space on its disk, in bytes. A new demo writes 1.4 MB before it's ready. */
const LEAST_ROOM = 2_000_000;
const NO_ROOM = `less than ${LEAST_ROOM / 1_000_000} MB of disk space is left`;

/** Why a directory can't be used, by error code. */
const FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write to it',
  EDQUOT: NO_ROOM,
  EEXIST: 'it is a file',
  ENOSPC: NO_ROOM,
  ENOTDIR: 'a part of its path is a file',
  EPERM: 'this user may not write to it',
  EROFS: 'its disk is read-only',
};

/**
 * Creates the directory if it's missing. Then creates and deletes a probe file, because SQLite also opens files that it
 * can't write to.
 */
function makeWritable(directory: string): void {
  const probe = join(directory, 'writable');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(probe, Buffer.alloc(LEAST_ROOM), { mode: 0o600 });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const fault = FAULTS[code] ?? message;
    throw new DataDirError(
      `The data directory ${directory} cannot be used: ${fault}. Correct that, or set DATA_DIR to another directory.`,
    );
  } finally {
    if (existsSync(probe)) rmSync(probe, { force: true });
  }
}

export const SHOP_FILE = 'shop.sqlite';
/** The file with the keys that encrypt personal data, one key per person. */
export const KEYS_FILE = 'keys.sqlite';
export const SECRETS_FILE = 'secrets.json';

const secretsSchema = z.object({
  accessToken: z.string().min(32),
  /** the key for deriving user ids from e-mail addresses; if this key is lost, every user gets a new id */
  userId: z.string().min(32),
  /** the key for deriving ids from idempotency keys */
  idempotency: z.string().min(32),
  stripeSecretKey: z.string().startsWith('sk_test_'),
  stripePublishableKey: z.string().startsWith('pk_test_'),
  stripeWebhookSecret: z.string().startsWith('whsec_'),
});
export type Secrets = z.infer<typeof secretsSchema>;

/** Reads the secrets, or generates them on first use. @throws DataDirError if the file is damaged or lost */
export function loadSecrets(directory: string): Secrets {
  const file = join(directory, SECRETS_FILE);
  if (existsSync(file)) {
    try {
      return secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      throw new DataDirError(`${file} is damaged: restore it from a backup. New secrets would give users new ids.`);
    }
  }
  // New secrets would give every user a new id and make retried orders look like new ones.
  if (existsSync(join(directory, SHOP_FILE))) {
    throw new DataDirError(`${file} is missing beside ${SHOP_FILE}: restore both from one backup.`);
  }
  const random = () => randomBytes(32).toString('hex');
  const secrets: Secrets = {
    accessToken: random(),
    userId: random(),
    idempotency: random(),
    stripeSecretKey: `sk_test_${random()}`,
    stripePublishableKey: `pk_test_${random()}`,
    stripeWebhookSecret: `whsec_${random()}`,
  };
  writeDurably(directory, file, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

/** Replaces the file atomically. After a crash, the file contains either the old text or all of the new text. */
export function writeDurably(directory: string, file: string, text: string): void {
  const temporary = `${file}.new`;
  const descriptor = openSync(temporary, 'w', 0o600);
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(temporary, file);
  chmodSync(file, 0o600);
  const folder = openSync(directory, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
