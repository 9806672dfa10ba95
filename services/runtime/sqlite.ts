import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { ReadableError } from './readable-error.ts';

/** A value that SQLite stores. */
type Value = string | number | bigint | null | Uint8Array;

/**
 * The SQL for a parameter whose value is bound as JSON. Use it for a string that can contain a null character, because
 * the package would cut the string off there. JSON escapes null characters.
 */
export const TEXT = "? ->> '$'";

/** The values of a statement's `?` placeholders, or one object with the values of its `@name` placeholders. */
type Parameters = readonly (Value | Readonly<Record<string, Value>>)[];

/** A prepared statement. A string is bound only up to its first null character (see TEXT). */
export interface Statement<Params extends Parameters, Row> {
  run(...params: Params): { readonly changes: number };
  get(...params: Params): Row | undefined;
  all(...params: Params): Row[];
}

interface ConnectionOptions {
  readonly readOnly?: boolean;
  /** How long to wait for a lock that another connection holds, in ms. */
  readonly timeout?: number;
}

/**
 * A connection to a SQLite file. This module is the only one that knows which package provides SQLite. A thread that
 * has a connection must not be terminated, because the package then aborts the whole process if a statement is running.
 */
export class Database {
  readonly file: string;
  readonly #native: DatabaseSyncInstance;

  /** @throws ReadableError if the package has no binary for this machine, or an error from SQLite if the file can't be opened */
  constructor(file: string, { readOnly = false, timeout = 5_000 }: ConnectionOptions = {}) {
    const { DatabaseSync } = loadPackage();
    this.file = file;
    // SQLite would take a relative path that starts with `file:` for a URI.
    this.#native = new DatabaseSync(file === ':memory:' ? file : resolve(file), { readOnly, timeout });
  }

  /** Prepares one statement. `Params` and `Row` are the types of its parameters and of the rows that it returns. */
  prepare<Params extends Parameters = Value[], Row = unknown>(sql: string): Statement<Params, Row> {
    // The package closes a connection whose object is garbage-collected. The statement keeps that object alive.
    return Object.assign(this.#native.prepare(sql), { connection: this.#native });
  }

  /** Executes one or more statements. */
  exec(sql: string): void {
    this.#native.exec(sql);
  }

  /** Executes a PRAGMA, and returns the first column of its first row, or undefined if it returns no row. */
  pragma(source: string): Value | undefined {
    const statement = this.#native.prepare(`PRAGMA ${source}`, { returnArrays: true });
    try {
      return statement.all()[0]?.[0];
    } finally {
      statement.close();
    }
  }

  /**
   * Runs `work` in a transaction, and returns its return value once the transaction is committed. If `work` throws, its
   * writes are rolled back. Inside another transaction, `work` runs in a savepoint.
   */
  transaction<T>(work: () => T, mode: 'immediate' | 'deferred' = 'immediate'): T {
    const nested = this.inTransaction;
    this.exec(nested ? 'SAVEPOINT nested' : `BEGIN ${mode}`);
    try {
      const result = work();
      this.exec(nested ? 'RELEASE nested' : 'COMMIT');
      return result;
    } catch (error) {
      // After some errors, for example if the disk is full, SQLite itself has already rolled the transaction back.
      if (this.inTransaction) this.exec(nested ? 'ROLLBACK TO nested; RELEASE nested' : 'ROLLBACK');
      throw error;
    }
  }

  get inTransaction(): boolean {
    return this.#native.isTransaction;
  }

  /** While `active` is false, statements can write to the schema. */
  enableDefensive(active: boolean): void {
    this.#native.enableDefensive(active);
  }

  /** Closes the connection and its statements. Closing a connection again has no effect. */
  close(): void {
    if (this.#native.isOpen) this.#native.close();
  }
}

const require = createRequire(import.meta.url);

/**
 * Loads the package when the first file is opened. If the package were imported, a program couldn't report that it has
 * no binary for this machine.
 */
function loadPackage(): typeof import('@photostructure/sqlite') {
  try {
    return require('@photostructure/sqlite');
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    throw new ReadableError(
      `SQLite cannot be loaded on this machine (${process.platform} ${process.arch}): ${reason}. The package @photostructure/sqlite has binaries for Linux with glibc 2.31 or newer or with musl, for macOS and for Windows, each on x64 and arm64. Elsewhere, install g++, make and python3, and run npm rebuild @photostructure/sqlite.`,
      { cause: error },
    );
  }
}

/** An error that SQLite reported. */
interface SqliteError extends Error {
  readonly code: 'ERR_SQLITE_ERROR';
  /** SQLite's extended or primary result code. */
  readonly errcode: number;
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error;
}

/** Recreates an error that SQLite reported in another thread. */
export function sqliteError(message: string, errcode: number): SqliteError {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode } as const);
}

/** The primary result codes that the shop handles (https://sqlite.org/rescode.html). */
const CODES = {
  BUSY: 5,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  NOTADB: 26,
} as const;

/** Returns true if SQLite reported one of these errors. */
export function failedWith(error: unknown, ...codes: readonly (keyof typeof CODES)[]): boolean {
  // The lowest byte of an extended result code is the primary result code.
  return isSqliteError(error) && codes.some((code) => CODES[code] === (error.errcode & 0xff));
}
