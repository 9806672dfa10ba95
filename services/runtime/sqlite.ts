import BetterSqlite from 'better-sqlite3';

/** A value that SQLite stores. */
export type Value = string | number | bigint | null | Uint8Array;

/** The values of a statement's `?` placeholders, or one object with the values of its `@name` placeholders. */
type Parameters = readonly (Value | Readonly<Record<string, Value>>)[];

export interface Statement<Params extends Parameters, Row> {
  run(...params: Params): { readonly changes: number };
  get(...params: Params): Row | undefined;
  all(...params: Params): Row[];
}

export interface ConnectionOptions {
  readonly readOnly?: boolean;
  /** How long to wait for a lock that another connection holds, in ms. */
  readonly timeout?: number;
  /** Called with each statement that is executed. */
  readonly onQuery?: (sql: string) => void;
}

/**
 * A connection to a SQLite file. This module is the only one that knows which package provides SQLite. A thread that
 * has a connection must not be terminated, because some packages abort the process if a statement is running.
 */
export class Database {
  readonly file: string;
  readonly #native: BetterSqlite.Database;

  /** @throws Error from SQLite if the file can't be opened */
  constructor(file: string, { readOnly = false, timeout = 5_000, onQuery }: ConnectionOptions = {}) {
    this.file = file;
    const verbose = onQuery && ((sql?: unknown) => onQuery(String(sql)));
    this.#native = new BetterSqlite(file, { readonly: readOnly, timeout, verbose });
  }

  /** Prepares one statement. `Params` and `Row` are the types of its parameters and of the rows that it returns. */
  prepare<Params extends Parameters = Value[], Row = unknown>(sql: string): Statement<Params, Row> {
    return this.#native.prepare(sql) as unknown as Statement<Params, Row>;
  }

  /** Executes one or more statements. */
  exec(sql: string): void {
    this.#native.exec(sql);
  }

  /** Executes a PRAGMA, and returns the first column of its first row, or undefined if it returns no row. */
  pragma(source: string): Value | undefined {
    return this.#native.pragma(source, { simple: true }) as Value | undefined;
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
    return this.#native.inTransaction;
  }

  /** While `active` is false, statements can write to the schema. */
  enableDefensive(active: boolean): void {
    this.#native.unsafeMode(!active);
  }

  /** Closes the connection. Closing it again has no effect. */
  close(): void {
    this.#native.close();
  }
}

/** An error that SQLite reported. */
export interface SqliteError extends Error {
  readonly code: string;
}

/** Recreates an error that SQLite reported in another thread. */
export function sqliteError(message: string, code: string): SqliteError {
  return new BetterSqlite.SqliteError(message, code);
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof BetterSqlite.SqliteError;
}

/** The primary result codes that the shop handles (https://sqlite.org/rescode.html). */
type ResultCode = 'BUSY' | 'NOMEM' | 'READONLY' | 'IOERR' | 'CORRUPT' | 'FULL' | 'CANTOPEN' | 'PROTOCOL' | 'NOTADB';

/** Returns true if SQLite reported one of these errors. */
export function failedWith(error: unknown, ...codes: readonly ResultCode[]): boolean {
  return isSqliteError(error) && codes.some((code) => error.code.startsWith(`SQLITE_${code}`));
}
