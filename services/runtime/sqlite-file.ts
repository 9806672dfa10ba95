import Database from 'better-sqlite3';
import { ownerOnly } from './owner-only.ts';
import { ReadableError } from './readable-error.ts';

export class NewerDataError extends ReadableError {
  override readonly name = 'NewerDataError';
}

/** The file is damaged, or cannot be read or written. */
export class UnusableDataError extends ReadableError {
  override readonly name = 'UnusableDataError';
}

/** The disk is full, gone, read-only or damaged, or another process holds the file: the statement itself is fine. */
const LOST = /^SQLITE_(FULL|IOERR|READONLY|BUSY|PROTOCOL|CANTOPEN|CORRUPT|NOTADB|NOMEM)/;

export function isFileLost(error: unknown): boolean {
  return error instanceof Database.SqliteError && LOST.test(error.code);
}

/**
 * As SQLite counts its releases. Earlier ones can damage a file whose WAL two connections write and checkpoint at the same time
 * (https://sqlite.org/wal.html#walresetbug), as the writer and its helper do.
 */
const SAFE_SQLITE = { name: '3.51.3', number: 3_051_003 };

/** Survives a power loss. `migrations[n]` leads from schema version n to n + 1. @throws ReadableError */
export function openSqliteFile(file: string, migrations: readonly string[]): Database.Database {
  try {
    ownerOnly(file);
    return openAndMigrate(file, migrations);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new UnusableDataError(`${file} cannot be used: ${error.message}.`, { cause: error });
  }
}

function openAndMigrate(file: string, migrations: readonly string[]): Database.Database {
  const database = new Database(file, { timeout: 5_000 });
  try {
    assertSafeSqlite(database);
    assertKnownVersion(database, file, migrations.length);
    database.pragma('journal_mode = WAL');
    // better-sqlite3 defaults to NORMAL, which loses acknowledged commits in a power loss.
    database.pragma('synchronous = FULL');
    // Deleted data is overwritten: an erased name or key must not be found in free pages.
    database.pragma('secure_delete = ON');
    // A checkpoint stalls the appends that wait behind it: fewer of them halve the slowest appends.
    database.pragma('wal_autocheckpoint = 10000');
    migrate(database, migrations);
    leaveNothingDeleted(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** "MCsd" as a number: marks a file whose free pages are empty. */
const CLEAN = 0x4d437364;

/** Earlier versions did not overwrite what they deleted: such a file is rewritten once. */
function leaveNothingDeleted(database: Database.Database): void {
  if (database.pragma('application_id', { simple: true }) === CLEAN) return;
  try {
    database.exec('VACUUM');
  } catch (error) {
    // What to do about a damaged file is its owner's choice; this is tried again at the next start.
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT')) return;
    throw error;
  }
  database.pragma(`application_id = ${CLEAN}`);
}

function assertSafeSqlite(database: Database.Database): void {
  const version = String(database.prepare('SELECT sqlite_version()').pluck().get());
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major * 1_000_000 + minor * 1_000 + patch >= SAFE_SQLITE.number) return;
  throw new ReadableError(
    `SQLite ${version} can damage the shop's files: install a better-sqlite3 that has SQLite ${SAFE_SQLITE.name} or newer.`,
  );
}

function schemaVersion(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

function assertKnownVersion(database: Database.Database, file: string, known: number): void {
  const version = schemaVersion(database);
  if (version > known) {
    throw new NewerDataError(
      `${file} was written by a newer version of this program (data version ${version}, this one knows ${known}).`,
    );
  }
}

function migrate(database: Database.Database, migrations: readonly string[]): void {
  for (const [version, sql] of migrations.entries()) {
    if (version < schemaVersion(database)) continue;
    database
      .transaction(() => {
        database.exec(sql);
        database.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
