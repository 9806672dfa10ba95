import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { sampleOrder } from '../../engine/read-models/sample-documents.fixture.ts';
import { systemClock } from '../../runtime/clock.ts';
import { Database } from '../../runtime/sqlite.ts';
import { shopDocuments } from '../../shop/documents.ts';
import { openShopDatabase } from '../sqlite/sqlite-database.ts';
import { createSqliteEventFeed } from '../sqlite/sqlite-event-feed.ts';
import { createSqliteEventLog } from '../sqlite/sqlite-event-log.ts';
import { createSqliteReadModels } from '../sqlite/sqlite-read-models.ts';
import { copyLog } from './copy-database.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'copy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('BACKUP1 copyLog() copies every event appended so far, but no documents, to a separate database file', async () => {
  const [file, copy] = [join(folder, 'shop.sqlite'), join(folder, 'copy.sqlite')];
  const database = openShopDatabase(file);
  const log = createSqliteEventLog({ database });
  createSqliteEventFeed({ database, consumer: 'projector', clock: systemClock, onError: () => {} });
  const order = sampleOrder();
  await createSqliteReadModels({ database, declarations: shopDocuments }).save([order]);
  const stream = freshStream();
  await log.append(sampleCommit(stream, 0));
  for (let n = 0; n < 200; n += 1) await log.append(sampleCommit(freshStream(), 0));
  const tablesOf = (one: Database) =>
    Object.fromEntries(
      ['events', 'feed_checkpoints', 'feed_waiting'].map((name) => [name, one.prepare(`SELECT * FROM ${name}`).all()]),
    );
  const [before, size] = [tablesOf(database), statSync(file).size];

  await copyLog(file, copy);
  await log.append(sampleCommit(freshStream(), 0));

  const copied = new Database(copy, { readOnly: true });
  expect(copied.pragma('integrity_check')).toBe('ok');
  expect(tablesOf(copied)).toEqual(before);
  for (const name of ['user_version', 'application_id']) expect(copied.pragma(name)).toEqual(database.pragma(name));
  const partsOf = (one: Database) =>
    one.prepare("SELECT name, sql FROM sqlite_master WHERE tbl_name IN ('events', 'feed_waiting') ORDER BY name").all();
  expect(partsOf(copied)).toEqual(partsOf(database));
  expect(statSync(copy)).toMatchObject({ mode: 0o100600 });
  expect(statSync(file).size).toBe(size);
  copied.close();
  expect(readFileSync(copy).includes(order.id)).toBe(false);
  await log.close();
  database.close();
});
