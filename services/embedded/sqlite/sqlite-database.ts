import type Database from 'better-sqlite3';
import { openSqliteFile } from '../../runtime/sqlite-file.ts';

/**
 * SQL that takes the shop's data from schema version n to n + 1, at index n. Append only: each has run on somebody's data.
 * Only what cannot be made anew stands here; feed and read models make their own tables.
 */
const SHOP_MIGRATIONS = [
  `CREATE TABLE events (
     position INTEGER PRIMARY KEY,
     stream TEXT NOT NULL,
     version INTEGER NOT NULL,
     commit_id TEXT NOT NULL,
     cause TEXT NOT NULL,
     body TEXT NOT NULL,
     UNIQUE (stream, version)
   ) STRICT;
   CREATE INDEX events_by_cause ON events (stream, cause);`,
];

/** The tables of those migrations: every other one can be made anew from them. */
export const LOG_TABLES = ['events'];

/**
 * Opens the one file of log, feed checkpoints and read models. They share its connection: commits reach the WAL in
 * order, so that not even a power loss leaves a checkpoint that is ahead of its documents. The caller closes it.
 * @throws NewerDataError
 */
export function openShopDatabase(file: string): Database.Database {
  return openSqliteFile(file, SHOP_MIGRATIONS);
}
