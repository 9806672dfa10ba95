import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { collectGarbage } from './heap.fixture.ts';
import { Database, failedWith, TEXT } from './sqlite.ts';

let folder: string;
let file: string;
let database: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  file = join(folder, 'a.sqlite');
  database = new Database(file);
  database.exec('CREATE TABLE numbers (n INTEGER NOT NULL) STRICT');
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const add = (n: number) => database.prepare<[number]>('INSERT INTO numbers VALUES (?)').run(n);
const numbers = () =>
  database
    .prepare<[], { n: number }>('SELECT n FROM numbers')
    .all()
    .map(({ n }) => n);

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

it('LOG1 a transaction that throws writes nothing, and the next transaction is not affected', () => {
  const failing = () =>
    database.transaction(() => {
      add(1);
      throw new Error('refused');
    });
  expect(failing).toThrow('refused');
  expect(database.transaction(() => add(2).changes)).toBe(1);
  expect(numbers()).toEqual([2]);
});

it('LOG1 inside a transaction, a transaction that throws undoes only its own writes', () => {
  database.transaction(() => {
    add(1);
    const failing = () =>
      database.transaction(() => {
        add(2);
        database.transaction(() => add(3));
        throw new Error('refused');
      });
    expect(failing).toThrow('refused');
    database.transaction(() => add(4));
    expect(database.inTransaction).toBe(true);
  });
  expect(database.inTransaction).toBe(false);
  expect(numbers()).toEqual([1, 4]);
});

it('LOG1 an immediate transaction waits for the lock of another writer, but a deferred one does not need it to read', () => {
  const other = new Database(file, { timeout: 0 });
  other.pragma('journal_mode = WAL');
  database.transaction(() => {
    add(1);
    expect(
      failedWith(
        errorOf(() => other.transaction(() => {})),
        'BUSY',
      ),
    ).toBe(true);
    expect(other.transaction(() => other.prepare('SELECT n FROM numbers').all(), 'deferred')).toEqual([]);
  });
  expect(other.transaction(() => 'written')).toBe('written');
  other.close();
});

it("CMD7 SQLite's errors are distinguished by their primary result code", () => {
  const constraint = errorOf(() => database.exec('INSERT INTO numbers VALUES (NULL)'));
  expect(failedWith(constraint, 'BUSY', 'CORRUPT', 'FULL')).toBe(false);
  const readOnly = new Database(file, { readOnly: true });
  expect(
    failedWith(
      errorOf(() => readOnly.exec('DELETE FROM numbers')),
      'READONLY',
    ),
  ).toBe(true);
  readOnly.close();
  expect(
    failedWith(
      errorOf(() => new Database(join(folder, 'missing.sqlite'), { readOnly: true })),
      'CANTOPEN',
    ),
  ).toBe(true);
  expect(failedWith(new Error('SQLITE_BUSY'), 'BUSY')).toBe(false);
});

it('LOG1 a connection stays open as long as one of its statements is referenced', async () => {
  const statement = (() => new Database(file).prepare<[], { n: number }>('SELECT count(*) AS n FROM numbers'))();
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await nextTurn();
  }
  expect(statement.get()).toEqual({ n: 0 });
});

it('LOG1 a text with a null character is stored as a whole if it is bound as JSON', () => {
  const text = 'before\0after';
  const { kept } =
    database.prepare<[string], { kept: string }>(`SELECT ${TEXT} AS kept`).get(JSON.stringify(text)) ?? {};
  expect(kept).toBe(text);
});

it('a closed database can be closed again, and runs no more statements', () => {
  const statement = database.prepare('SELECT n FROM numbers');
  database.close();
  database.close();
  expect(() => statement.all()).toThrow();
  expect(() => database.exec('SELECT 1')).toThrow();
});
