import type { Database } from '../../runtime/sqlite.ts';
import { openSqliteFile } from '../../runtime/sqlite-file.ts';

/**
 * Append new migrations, and never change an existing one: it has already run on real data. The tables of the feed and
 * the read models can be rebuilt, so they are created elsewhere and need no migrations.
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

/** The tables that hold the log. All other tables can be rebuilt from them. */
export const LOG_TABLES = ['events'];

/**
 * The log, documents and checkpoints are in one file, so that even a power loss can't leave a checkpoint ahead of its
 * documents.
 * @throws NewerDataError
 */
export function openShopDatabase(file: string): Database {
  return openSqliteFile(file, SHOP_MIGRATIONS);
}
