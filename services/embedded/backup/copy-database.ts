import { closeSync, fsyncSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { ownerOnly } from '../../runtime/owner-only.ts';
import { Database } from '../../runtime/sqlite.ts';
import { threadProgram } from '../sqlite/thread-program.ts';
import { BackupError } from './backup-files.ts';

/** The tables to copy. The document tables, which hold names and addresses in plaintext, are left out because they can be rebuilt. */
const LOG_TABLES = JSON.stringify(['events', 'feed_checkpoints', 'feed_waiting']);

/** Makes a consistent, durable copy of a SQLite file. Doesn't block writers, however long it takes. @throws BackupError */
export function copyDatabase(from: string, to: string): Promise<void> {
  return copied(from, to, () => {
    const database = new Database(from, { readOnly: true });
    try {
      database.prepare('VACUUM INTO ?').run(to);
    } finally {
      database.close();
    }
  });
}

/** Copies shop.sqlite like copyDatabase(), but without the documents. @throws BackupError */
export function copyLog(from: string, to: string): Promise<void> {
  return copied(from, to, () => {
    const database = new Database(to);
    try {
      database.pragma('journal_mode = OFF');
      database.pragma('synchronous = OFF');
      database.prepare('ATTACH ? AS shop').run(from);
      for (const name of ['user_version', 'application_id']) {
        database.pragma(`${name} = ${database.pragma(`shop.${name}`)}`);
      }
      // The copy is made in one transaction, so that all tables are copied from the same version of the file. An
      // immediate transaction would also lock the original against its writer.
      database.transaction(() => copyTables(database), 'deferred');
    } finally {
      database.close();
    }
  });
}

function copyTables(database: Database): void {
  const parts = database
    .prepare<[string], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM shop.sqlite_master
       WHERE tbl_name IN (SELECT value FROM json_each(?)) AND sql IS NOT NULL ORDER BY type = 'index'`,
    )
    .all(LOG_TABLES);
  for (const { sql } of parts) database.exec(sql);
  // The copy's tables and indexes are defined exactly as in the original, so SQLite copies the stored rows and index
  // entries as they are.
  for (const { name } of parts.filter(({ type }) => type === 'table')) {
    database.exec(`INSERT INTO main."${name}" SELECT * FROM shop."${name}"`);
  }
}

async function copied(from: string, to: string, copy: () => void): Promise<void> {
  ownerOnly(to);
  const flushing = new Worker(threadProgram('flush-thread'), { workerData: to });
  // A failure of the flush thread is harmless, because the copy is synced below anyway.
  flushing.once('error', () => undefined);
  try {
    copy();
  } catch (error) {
    throw new BackupError(`${from} cannot be copied: ${(error as Error).message}.`, { cause: error });
  } finally {
    await flushing.terminate();
  }
  sync(to);
}

export function sync(file: string): void {
  const descriptor = openSync(file, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
