import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BackupError } from './backup-files.ts';
import { dropDocuments } from './replaced-data.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replaced-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('BACKUP1 if the old database that a restore has moved aside is damaged, dropDocuments() fails without changing the file or leaving a partial copy', async () => {
  const damaged = 'not a database '.repeat(1_000);
  writeFileSync(join(folder, 'shop.sqlite'), damaged);
  await expect(dropDocuments(folder)).rejects.toThrow(BackupError);
  expect(readdirSync(folder)).toEqual(['shop.sqlite']);
  expect(readFileSync(join(folder, 'shop.sqlite'), 'utf8')).toBe(damaged);
});
