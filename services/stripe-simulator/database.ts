import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite from 'better-sqlite3';

/** Raised with each change of the tables below. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    parent TEXT,
    label TEXT,
    created INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX objects_by_kind ON objects (kind, seq);
  CREATE INDEX objects_by_parent ON objects (parent, kind, seq);
  CREATE TABLE answers (
    credential TEXT NOT NULL,
    key TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    request_id TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (credential, key)
  );
  CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    type TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    after_id INTEGER,
    last_error TEXT
  );
  CREATE INDEX deliveries_by_state ON deliveries (state, due_at);
  CREATE INDEX deliveries_by_event ON deliveries (event);
`;

export type Database = BetterSqlite.Database;

/**
 * Opens (or makes) the simulator's file. What a call was answered is on the disk before the answer leaves: WAL with
 * synchronous=FULL. A file of a newer version is refused.
 */
export function openDatabase(file: string): Database {
  mkdirSync(dirname(file), { recursive: true });
  const database = new BetterSqlite(file);
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version > SCHEMA_VERSION) {
    database.close();
    throw new Error(
      `${file} was written by a newer version of the shop (${version}, this one knows ${SCHEMA_VERSION}).`,
    );
  }
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  if (version === 0) {
    database.transaction(() => {
      database.exec(SCHEMA);
      database.pragma(`user_version = ${SCHEMA_VERSION}`);
    })();
  }
  return database;
}
