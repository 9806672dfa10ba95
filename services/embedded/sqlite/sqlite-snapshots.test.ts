import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { snapshotsContract } from '../../engine/log/snapshots.contract.ts';
import { openShopDatabase } from './sqlite-database.ts';
import { createSqliteSnapshots } from './sqlite-snapshots.ts';

snapshotsContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'snapshots-'));
  const database = openShopDatabase(join(folder, 'shop.sqlite'));
  return {
    snapshots: createSqliteSnapshots({ database }),
    async spoil(stream) {
      database.prepare('INSERT INTO snapshots (stream, body) VALUES (?, ?)').run(stream, '{"version":');
    },
    async dispose() {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
});
