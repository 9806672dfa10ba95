import type { Database } from 'better-sqlite3';
import { type Snapshots, snapshotSchema } from '../../engine/log/snapshots.ts';
import { parseJson } from '../../runtime/parse-json.ts';

export function createSqliteSnapshots({ database }: { readonly database: Database }): Snapshots {
  database.exec('CREATE TABLE IF NOT EXISTS snapshots (stream TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT');
  const find = database.prepare<[string], { body: string }>('SELECT body FROM snapshots WHERE stream = ?');
  const keep = database.prepare<[string, string]>('INSERT OR REPLACE INTO snapshots (stream, body) VALUES (?, ?)');
  const clear = database.prepare('DELETE FROM snapshots');
  return {
    async find(stream) {
      const row = find.get(stream);
      return row ? (snapshotSchema.safeParse(parseJson(row.body)).data ?? null) : null;
    },
    async keep(snapshot) {
      keep.run(snapshot.stream, JSON.stringify(snapshot));
    },
    async clear() {
      clear.run();
    },
  };
}
