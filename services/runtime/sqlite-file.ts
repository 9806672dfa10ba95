import { ownerOnly } from './owner-only.ts';
import { ReadableError } from './readable-error.ts';
import { Database, failedWith } from './sqlite.ts';

export class NewerDataError extends ReadableError {
  override readonly name = 'NewerDataError';
}

/** The file is damaged, or it can't be read or written. */
export class UnusableDataError extends ReadableError {
  override readonly name = 'UnusableDataError';
}

/**
 * The codes of errors that aren't caused by the statement: the disk is full, missing, read-only or damaged, another
 * process has locked the file, or there isn't enough memory.
 */
const LOST = ['FULL', 'IOERR', 'READONLY', 'BUSY', 'PROTOCOL', 'CANTOPEN', 'CORRUPT', 'NOTADB', 'NOMEM'] as const;

export function isFileLost(error: unknown): boolean {
  return failedWith(error, ...LOST);
}

/**
 * The first SQLite release with a fix for a bug that can corrupt a file (https://sqlite.org/wal.html#walresetbug). The
 * bug can occur when two connections write and checkpoint the WAL at the same time, as the writer thread and the
 * checkpoint thread do.
 */
const SAFE_SQLITE = { name: '3.51.3', number: 3_051_003 };

/** Opens a SQLite file so that commits survive a power loss. `migrations[n]` upgrades schema version n to n + 1. @throws ReadableError */
export function openSqliteFile(file: string, migrations: readonly string[]): Database {
  try {
    ownerOnly(file);
    return openAndMigrate(file, migrations);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new UnusableDataError(`${file} cannot be used: ${error.message}.`, { cause: error });
  }
}

function openAndMigrate(file: string, migrations: readonly string[]): Database {
  const database = new Database(file);
  try {
    assertSafeSqlite(database);
    assertKnownVersion(database, file, migrations.length);
    database.pragma('journal_mode = WAL');
    // The default, NORMAL, can lose acknowledged commits in a power failure.
    database.pragma('synchronous = FULL');
    // Overwrites deleted data, so that an erased name or key can't be found in free pages.
    database.pragma('secure_delete = ON');
    // Appends have to wait while a checkpoint runs. Checkpointing less often than SQLite does by default halves the
    // duration of the slowest appends.
    database.pragma('wal_autocheckpoint = 10000');
    // The size of the page cache is 16 MB. SQLite's default is 2 MB.
    database.pragma('cache_size = -16000');
    migrate(database, migrations);
    leaveNothingDeleted(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The application_id "MCsd" marks a file whose free pages contain no deleted data. */
const CLEAN = 0x4d437364;

/** Earlier versions of the shop didn't overwrite deleted data, so their files are rewritten once. */
function leaveNothingDeleted(database: Database): void {
  if (database.pragma('application_id') === CLEAN) return;
  try {
    database.exec('VACUUM');
  } catch (error) {
    // A damaged file is left for the caller to handle. VACUUM is tried again at the next start.
    if (failedWith(error, 'CORRUPT')) return;
    throw error;
  }
  database.pragma(`application_id = ${CLEAN}`);
}

function assertSafeSqlite(database: Database): void {
  const { version = '' } = database.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get() ?? {};
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major * 1_000_000 + minor * 1_000 + patch >= SAFE_SQLITE.number) return;
  throw new ReadableError(
    `SQLite ${version} can damage the shop's files: install SQLite ${SAFE_SQLITE.name} or newer with npm ci.`,
  );
}

function schemaVersion(database: Database): number {
  return Number(database.pragma('user_version'));
}

function assertKnownVersion(database: Database, file: string, known: number): void {
  const version = schemaVersion(database);
  if (version > known) {
    throw new NewerDataError(
      `${file} was written by a newer version of this program (data version ${version}, but this program supports only up to ${known}): update this program, or set DATA_DIR to another directory.`,
    );
  }
}

function migrate(database: Database, migrations: readonly string[]): void {
  for (const [version, sql] of migrations.entries()) {
    if (version < schemaVersion(database)) continue;
    database.transaction(() => {
      database.exec(sql);
      database.pragma(`user_version = ${version + 1}`);
    });
  }
}
