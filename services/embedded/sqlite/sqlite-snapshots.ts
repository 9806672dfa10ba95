import { type Snapshots, snapshotSchema } from '../../engine/log/snapshots.ts';
import { parseJson } from '../../runtime/parse-json.ts';
import type { Database } from '../../runtime/sqlite.ts';
import { type ShopWriter, writeHere } from './sqlite-writes.ts';

export function createSqliteSnapshots({
  database,
  writer = writeHere(database),
}: {
  readonly database: Database;
  readonly writer?: Pick<ShopWriter, 'keepSnapshot' | 'clearSnapshots'>;
}): Snapshots {
  database.exec('CREATE TABLE IF NOT EXISTS snapshots (stream TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT');
  const find = database.prepare<[string], { body: string }>('SELECT body FROM snapshots WHERE stream = ?');
  return {
    async find(stream) {
      const row = find.get(stream);
      return row ? (snapshotSchema.safeParse(parseJson(row.body)).data ?? null) : null;
    },
    keep: (snapshot) => writer.keepSnapshot(snapshot.stream, JSON.stringify(snapshot)),
    clear: () => writer.clearSnapshots(),
  };
}
