import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../runtime/sqlite.ts';
import { UnusableDataError } from '../../runtime/sqlite-file.ts';
import { checkDatabase } from './check-database.ts';
import { damageTable } from './damage-table.fixture.ts';
import { LOG_TABLES, openShopDatabase } from './sqlite-database.ts';

const ROWS = 2_000;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'damage-'));
  file = join(folder, 'shop.sqlite');
  const database = openShopDatabase(file);
  database.exec('CREATE TABLE made_anew (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT');
  const event = database.prepare('INSERT INTO events (stream, version, commit_id, cause, body) VALUES (?, 1, ?, ?, ?)');
  const row = database.prepare('INSERT INTO made_anew VALUES (?, ?)');
  database.transaction(() => {
    for (let n = 0; n < ROWS; n += 1) {
      event.run(`order-${n}`, `commit-${n}`, `place:${n}`, JSON.stringify({ n }));
      row.run(`row-${n}`, 'x'.repeat(100));
    }
  });
  database.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function check() {
  const database = openShopDatabase(file);
  try {
    const outcome = checkDatabase(database, file, LOG_TABLES);
    return {
      outcome,
      events: database.prepare<[], { body: string }>('SELECT body FROM events ORDER BY position').all(),
      tables: database
        .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .all()
        .map(({ name }) => name),
    };
  } finally {
    database.close();
  }
}

describe('checking a database for damaged pages', () => {
  it('LOG6 a database without damaged pages is left unchanged', () => {
    expect(check()).toMatchObject({ outcome: 'whole', tables: ['events', 'made_anew'] });
  });

  it('LOG6 if a page of a rebuildable table is damaged, all rebuildable tables are dropped and every event is kept', () => {
    damageTable(file, 'made_anew');
    const { outcome, events, tables } = check();
    expect([outcome, tables]).toEqual(['mended', ['events']]);
    expect(events.map(({ body }) => JSON.parse(body))).toEqual(Array.from({ length: ROWS }, (_, n) => ({ n })));
    expect(check().outcome).toBe('whole');
  });

  it('LOG6 a database with a damaged page in its log is rejected with a one-line message and left unchanged', () => {
    damageTable(file, 'events');
    for (let start = 0; start < 2; start += 1) {
      expect(check).toThrow(UnusableDataError);
      expect(check).toThrow(/shop\.sqlite is damaged .*\(events\): restore it from a backup\.$/);
    }
    const database = new Database(file, { readOnly: true });
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'made_anew'").all()).toHaveLength(1);
    database.close();
  });

  it('LOG6 a database whose first page is damaged is rejected as unusable', () => {
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(60, 0xab), 0, 60, 0);
    closeSync(descriptor);
    expect(() => openShopDatabase(file)).toThrow(UnusableDataError);
  });
});
