import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freshId } from '../../engine/log/sample-events.fixture.ts';
import { KEYS_FILE } from '../../runtime/data-dir.ts';
import { createSqliteKeyVault } from '../sqlite/sqlite-key-vault.ts';
import { beginBackup, erasedBeside, noteErasedBeside, rememberBackup } from './backup-files.ts';
import { noteErasures } from './note-erasures.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'note-erasures-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function newBackup(name: string): string {
  const directory = join(dataDir, name);
  mkdirSync(directory);
  beginBackup(dataDir, directory);
  return directory;
}

/** Starts recording erasures, as the shop does at startup. `aMinuteLater` runs the retry that the shop runs every minute. */
async function run(warn = vi.fn()) {
  const keys = createSqliteKeyVault({ file: join(dataDir, KEYS_FILE) });
  const { vault, keepNoting } = noteErasures(keys, { dataDir, logger: { warn } });
  let aMinuteLater = () => {};
  const end = await keepNoting((_milliseconds, callback) => {
    aMinuteLater = callback;
    return () => {};
  });
  return {
    vault,
    warn,
    aMinuteLater: () => aMinuteLater(),
    async stop() {
      end();
      await vault.close();
    },
  };
}

/** Leaves an empty directory in place of the backup, as if the backup's disk had been unmounted. */
function unmount(directory: string): { mount(): void } {
  renameSync(directory, `${directory}-away`);
  mkdirSync(directory);
  return {
    mount() {
      rmdirSync(directory);
      renameSync(`${directory}-away`, directory);
    },
  };
}

it('BACKUP1 an erasure is recorded in every mounted backup immediately, and in an unmounted one after it is mounted again', async () => {
  const [older, newer] = [newBackup('older'), newBackup('newer')];
  const [first, second] = [freshId(), freshId()];
  let disk = unmount(older);
  let shop = await run();
  await shop.vault.erase(first);
  expect(erasedBeside(newer)).toEqual([first]);
  expect(readdirSync(older)).toEqual([]);
  expect(shop.warn.mock.calls).toMatchObject([[{ missed: [{ directory: older }] }, expect.any(String)]]);
  shop.aMinuteLater();
  await shop.stop();

  shop = await run();
  disk.mount();
  shop.aMinuteLater();
  await vi.waitFor(() => expect(erasedBeside(older)).toEqual([first]));

  disk = unmount(older);
  await shop.vault.erase(second);
  await shop.stop();
  disk.mount();
  shop = await run();
  for (const directory of [older, newer]) expect(new Set(erasedBeside(directory))).toEqual(new Set([first, second]));
  expect(shop.warn).not.toHaveBeenCalled();
  await shop.stop();
});

it('BACKUP1 two shops that share a backup both record their erasures in it', async () => {
  const backup = newBackup('backup');
  const [here, elsewhere] = [freshId(), freshId()];
  noteErasedBeside(backup, [elsewhere]);
  const shop = await run();
  await shop.vault.erase(here);
  expect(new Set(erasedBeside(backup))).toEqual(new Set([elsewhere, here]));
  await shop.stop();
});

it('BACKUP1 a shop that has erased nobody ignores a backup that no longer exists', async () => {
  rememberBackup(dataDir, join(dataDir, 'deleted'));
  const shop = await run();
  shop.aMinuteLater();
  expect(shop.warn).not.toHaveBeenCalled();
  await shop.stop();
  expect(existsSync(join(dataDir, 'deleted'))).toBe(false);
});
