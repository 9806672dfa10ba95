import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataDirError, holdDataDir, loadSecrets } from './data-dir.ts';
import { openSqliteFile } from './sqlite-file.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'data-dir-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('data directory', () => {
  it('only one running shop can use a data directory at a time', () => {
    const held = holdDataDir(directory);
    expect(() => holdDataDir(directory)).toThrow(/in use by another running shop/);
    held.release();
    holdDataDir(directory).release();
  });

  it('a data directory can be used again after the process that was using it has been killed', () => {
    const script = `
      const { holdDataDir } = await import(${JSON.stringify(new URL('./data-dir.ts', import.meta.url).href)});
      holdDataDir(${JSON.stringify(directory)});
      process.kill(process.pid, 'SIGKILL');`;
    const child = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
    expect(child.signal).toBe('SIGKILL');
    holdDataDir(directory).release();
  });

  it('LOG3 if an older version left a data directory accessible to other users, opening the directory makes it and its files private to their owner', () => {
    const left = ['shop.sqlite', 'shop.sqlite-wal'].map((name) => join(directory, name));
    openSqliteFile(left[0] ?? '', []).close();
    writeFileSync(left[1] ?? '', '');
    for (const path of [directory, ...left]) chmodSync(path, 0o755);
    const held = holdDataDir(directory);
    const database = openSqliteFile(left[0] ?? '', ['CREATE TABLE kept (id INTEGER) STRICT;']);
    for (const path of [...left, join(directory, 'lock.sqlite')]) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    database.close();
    held.release();
  });

  it('START1 a data directory that this user may not write to is reported with a one-line error at startup', () => {
    holdDataDir(directory).release();
    chmodSync(directory, 0o555);
    // Root can write anywhere, so this test drops root's privileges.
    const superuser = process.geteuid?.() === 0;
    if (superuser) process.seteuid?.(65_534);
    try {
      expect(() => holdDataDir(directory)).toThrow(/^The data directory .* this user may not write to it\. .*DATA_DIR/);
    } finally {
      if (superuser) process.seteuid?.(0);
    }
  });

  it('START1 a data directory that is a file, or is below a file, is reported with a one-line error at startup', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    expect(() => holdDataDir(file)).toThrow(/^The data directory .*file cannot be used: it is a file\. .*DATA_DIR/);
    expect(() => holdDataDir(join(file, 'data'))).toThrow(/a part of its path is a file\. .*DATA_DIR/);
  });

  it('START1 a data directory on a full disk is reported with a one-line error at startup, and nothing is left in it', () => {
    // Every write to /dev/full fails as on a full disk. The shop writes a probe file, which this link redirects.
    symlinkSync('/dev/full', join(directory, 'writable'));
    expect(() => holdDataDir(directory)).toThrow(/cannot be used: less than 2 MB of disk space is left\. .*DATA_DIR/);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('the secrets file is readable only by its owner, and a damaged secrets file is refused', () => {
    const first = loadSecrets(directory);
    expect(loadSecrets(directory)).toEqual(first);
    expect(statSync(join(directory, 'secrets.json')).mode & 0o777).toBe(0o600);
    writeFileSync(join(directory, 'secrets.json'), '{');
    expect(() => loadSecrets(directory)).toThrow(DataDirError);
  });

  it('no new secrets are generated if the secrets file is missing but a log exists', () => {
    writeFileSync(join(directory, 'shop.sqlite'), '');
    expect(() => loadSecrets(directory)).toThrow(/secrets.json is missing beside shop.sqlite/);
  });
});
