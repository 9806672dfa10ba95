import { closeSync, openSync, writeSync } from 'node:fs';
import { Database } from '../../runtime/sqlite.ts';

/** Overwrites a page in the middle of a table, as a failing disk would. The database must not be open. */
export function damageTable(file: string, table: string): void {
  const database = new Database(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const size = Number(database.pragma('page_size'));
  const pages = database
    .prepare<[string], { pageno: number }>(
      "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path",
    )
    .all(table);
  database.close();
  const page = pages[Math.floor(pages.length / 2)];
  if (!page) throw new Error(`The table ${table} has no page to damage.`);
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(size, 0xab), 0, size, (page.pageno - 1) * size);
  closeSync(descriptor);
}
