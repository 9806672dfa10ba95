import { randomBytes } from 'node:crypto';
import { type KeyVault, OtherKeyKept } from '../../engine/log/key-vault.ts';
import { emptyWal, wipeWal } from '../../runtime/empty-wal.ts';
import { openSqliteFile } from '../../runtime/sqlite-file.ts';
import { checkDatabase } from './check-database.ts';

const KEY_BYTES = 32;

/** If `key` is null, the person's key has been erased. */
const MIGRATIONS = ['CREATE TABLE keys (person TEXT PRIMARY KEY, key BLOB) STRICT, WITHOUT ROWID;'];

export interface SqliteKeyVault extends KeyVault {
  /** Wipes erased keys from the disk if `erase` had to leave them there. @throws Error if another connection is reading the file */
  wipe(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the vault in its own file, so that the log can be copied without the keys. @throws NewerDataError, UnusableDataError */
export function createSqliteKeyVault(options: { file: string; random?: (bytes: number) => Buffer }): SqliteKeyVault {
  const { file, random = randomBytes } = options;
  const database = openSqliteFile(file, MIGRATIONS);
  checkDatabase(database, file, ['keys']);

  const select = database.prepare<[string], { key: Uint8Array | null }>('SELECT key FROM keys WHERE person = ?');
  const insert = database.prepare<[string, Buffer]>('INSERT OR IGNORE INTO keys (person, key) VALUES (?, ?)');
  const forget = database.prepare<[string]>(
    'INSERT INTO keys (person, key) VALUES (?, NULL) ON CONFLICT (person) DO UPDATE SET key = NULL',
  );

  const list = database.prepare<[string, number], { person: string; key: Uint8Array | null }>(
    'SELECT person, key FROM keys WHERE person > ? ORDER BY person LIMIT ?',
  );

  function find(person: string): Buffer | null | undefined {
    const kept = select.get(person);
    return kept && bufferOf(kept.key);
  }

  function erase(person: string): void {
    forget.run(person);
    // The WAL still contains the erased key. If another connection is reading, the key stays in the WAL until wipe()
    // succeeds.
    emptyWal(database);
  }

  return {
    async obtain(person) {
      const kept = find(person);
      if (kept !== undefined) return kept;
      insert.run(person, random(KEY_BYTES));
      return find(person) ?? null;
    },
    find: async (person) => find(person),
    erase: async (person) => erase(person),
    list: async (after, limit) =>
      list.all(after ?? '', limit).map(({ person, key }) => ({ person, key: bufferOf(key) })),
    async restore({ person, key }) {
      if (key === null) {
        erase(person);
        return;
      }
      insert.run(person, key);
      const kept = find(person) ?? null;
      if (kept !== null && !kept.equals(key)) throw new OtherKeyKept(`Person ${person} has another key.`);
    },
    wipe: async () => wipeWal(database),
    async close() {
      database.close();
    },
  };
}

function bufferOf(key: Uint8Array | null): Buffer | null {
  return key && Buffer.from(key.buffer, key.byteOffset, key.byteLength);
}
