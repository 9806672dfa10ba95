import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyVaultContract } from '../../engine/log/key-vault.contract.ts';
import { freshId } from '../../engine/log/sample-events.fixture.ts';
import { Database } from '../../runtime/sqlite.ts';
import { createSqliteKeyVault } from './sqlite-key-vault.ts';

keyVaultContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'key-vault-'));
  const open = () => createSqliteKeyVault({ file: join(folder, 'keys.db') });
  let vault = open();
  return {
    vault,
    async reopen() {
      await vault.close();
      vault = open();
      return vault;
    },
    async dispose() {
      await vault.close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe('SQLite key vault', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'key-vault-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const bytesOnDisk = () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));

  it("LOG3 once a key has been erased, none of the vault's files contains it", async () => {
    const vault = createSqliteKeyVault({ file: join(folder, 'keys.db') });
    const people = Array.from({ length: 200 }, freshId);
    const keys = await Promise.all(people.map(async (person) => (await vault.obtain(person)) ?? Buffer.alloc(0)));
    const onDisk = () => keys.filter((key) => bytesOnDisk().includes(key));
    expect(onDisk()).toHaveLength(200);
    for (const person of people.slice(0, 50)) await vault.erase(person);
    expect(onDisk()).toEqual(keys.slice(50));
    await vault.close();
  });

  it('ERASE1 while another connection is reading the vault, erase() succeeds without waiting and wipe() fails', async () => {
    const vault = createSqliteKeyVault({ file: join(folder, 'keys.db') });
    const person = freshId();
    const key = (await vault.obtain(person)) ?? Buffer.alloc(0);
    const reader = new Database(join(folder, 'keys.db'), { readOnly: true });
    reader.exec('BEGIN; SELECT * FROM keys');
    const began = performance.now();
    await vault.erase(person);
    await expect(vault.wipe()).rejects.toThrow('cannot be emptied while it is being read');
    // With the busy timeout of ordinary writes, erase() and wipe() would take 10 s.
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(await vault.find(person)).toBeNull();
    expect(bytesOnDisk().includes(key)).toBe(true);
    reader.exec('COMMIT');
    await vault.wipe();
    expect(bytesOnDisk().includes(key)).toBe(false);
    reader.close();
    await vault.close();
  });

  it("LOG3 a key vault's files are readable only by their owner", async () => {
    const vault = createSqliteKeyVault({ file: join(folder, 'keys.db') });
    await vault.obtain(freshId());
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes.length).toBeGreaterThan(1);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    await vault.close();
  });
});
