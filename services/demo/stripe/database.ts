import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from '../../runtime/sqlite.ts';
import { openSqliteFile } from '../../runtime/sqlite-file.ts';

/** Only ever append to this list, because existing databases have already run the earlier migrations. */
export const MIGRATIONS = [
  `
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
`,
  // Removes the test card's outcome from stored payment methods, because the card's last four digits already determine
  // the outcome.
  `UPDATE objects SET body = json_extract(body, '$.method') WHERE kind = 'payment_method'`,
  // Charges made before there were balance transactions never get one.
  `
  CREATE TABLE later (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    due_at INTEGER NOT NULL,
    work TEXT NOT NULL
  );
  CREATE INDEX later_by_time ON later (due_at);
  UPDATE objects SET body = json_set(body, '$.balance_transaction', NULL) WHERE kind = 'charge';
`,
  // An object is listed from `listed_at` on, in ms since the epoch, and only to its own account.
  `
  ALTER TABLE objects ADD COLUMN listed_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE objects ADD COLUMN account TEXT NOT NULL DEFAULT 'acct_00000000000001';
`,
];

/**
 * Opens the database file. A call's changes are on disk before the call gets its response.
 * @throws NewerDataError if a newer version wrote the file
 */
export function openDatabase(file: string): Database {
  mkdirSync(dirname(file), { recursive: true });
  return openSqliteFile(file, MIGRATIONS);
}
