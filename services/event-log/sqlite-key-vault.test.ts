import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyVaultContract } from './key-vault.contract.ts';
import { freshId } from './sample-events.fixture.ts';
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

  it('LOG3 an erased key is in none of its files any more', async () => {
    const vault = createSqliteKeyVault({ file: join(folder, 'keys.db') });
    const [person, other] = [freshId(), freshId()];
    const key = await vault.obtain(person);
    const kept = await vault.obtain(other);
    expect(bytesOnDisk().includes(key ?? '')).toBe(true);
    await vault.erase(person);
    expect(bytesOnDisk().includes(key ?? '')).toBe(false);
    expect(bytesOnDisk().includes(kept ?? '')).toBe(true);
    await vault.close();
  });

  it('LOG3 its files are readable by their owner alone', async () => {
    const vault = createSqliteKeyVault({ file: join(folder, 'keys.db') });
    await vault.obtain(freshId());
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes.length).toBeGreaterThan(1);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    await vault.close();
  });
});
