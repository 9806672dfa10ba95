import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { Database } from './sqlite.ts';
import { openSqliteFile } from './sqlite-file.ts';

it("ERASE1 opening a database file that an earlier version wrote clears deleted data from the file's free pages", () => {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-file-'));
  const file = join(folder, 'shop.sqlite');
  try {
    const before = new Database(file);
    before.pragma('secure_delete = OFF');
    before.exec('CREATE TABLE people (name TEXT)');
    const insert = before.prepare('INSERT INTO people VALUES (?)');
    for (let n = 0; n < 500; n += 1) insert.run(`Rumi number ${n}, House 7, Dhanmondi`);
    before.exec('DELETE FROM people');
    before.close();
    expect(readFileSync(file).includes('Dhanmondi')).toBe(true);

    openSqliteFile(file, []).close();
    expect(readFileSync(file).includes('Dhanmondi')).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each([
  ['3.7.0', false],
  ['3.51.2', false],
  ['3.51.3', true],
  ['3.53.0', true],
  ['4.0.0', true],
])('LOG1 a database file is opened only by SQLite 3.51.3 or newer (opened by %s: %s)', (version, opens) => {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-file-'));
  const file = join(folder, 'shop.sqlite');
  const { prepare } = Database.prototype;
  const asked = vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database, sql) {
    return prepare.call(this, sql.replace('sqlite_version()', `'${version}'`));
  });
  try {
    const open = () => openSqliteFile(file, []).close();
    if (opens) open();
    else expect(open).toThrow(`SQLite ${version} can damage the shop's files: install`);
  } finally {
    asked.mockRestore();
    rmSync(folder, { recursive: true });
  }
});
