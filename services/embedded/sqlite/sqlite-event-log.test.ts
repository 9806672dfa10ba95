import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventLogContract, readWhole } from '../../engine/log/event-log.contract.ts';
import { AppendOutcomeUnknown } from '../../engine/log/event-log.ts';
import { freshId, freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { sampleOrder, sampleUser } from '../../engine/read-models/sample-documents.fixture.ts';
import { executedSql } from '../../runtime/executed-sql.fixture.ts';
import { bytesKept } from '../../runtime/heap.fixture.ts';
import { Database } from '../../runtime/sqlite.ts';
import { NewerDataError } from '../../runtime/sqlite-file.ts';
import { shopDocuments } from '../../shop/documents.ts';
import { repetitions } from '../../whole-shop/long-run.fixture.ts';
import { spawnProgram } from '../../whole-shop/ready-process.fixture.ts';
import { openShopDatabase } from './sqlite-database.ts';
import { createSqliteEventLog } from './sqlite-event-log.ts';
import { createSqliteReadModels } from './sqlite-read-models.ts';

eventLogContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-log-'));
  const open = () => {
    const database = openShopDatabase(join(folder, 'shop.db'));
    return { database, log: createSqliteEventLog({ database }) };
  };
  let current = open();
  const close = async () => {
    await current.log.close();
    current.database.close();
  };
  return {
    log: current.log,
    async reopen() {
      await close();
      current = open();
      return current.log;
    },
    async dispose() {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
});

const KILLS = repetitions({ few: 5, many: 20 });

describe('SQLite event log', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'event-log-'));
    file = join(folder, 'shop.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('LOG2 the event log frees the memory of completed appends', async () => {
    const database = openShopDatabase(file);
    const writer = {
      append: async (batch: readonly unknown[]) => batch.map(() => ({ kind: 'appended', version: 1 }) as const),
    };
    const log = createSqliteEventLog({ database, writer });
    const commit = sampleCommit(freshStream(), 0);
    const many = () => Promise.all(Array.from({ length: 20_000 }, () => log.append(commit)));
    await many();
    expect(await bytesKept(many)).toBeLessThan(1_000_000);
    database.close();
  });

  it('LOG1 the database commits in WAL mode with synchronous=FULL', () => {
    const database = openShopDatabase(file);
    expect(database.pragma('journal_mode')).toBe('wal');
    expect(database.pragma('synchronous')).toBe(2);
    database.close();
  });

  it('LOG1 saving a document does not wait for the disk, but the next append does', async () => {
    openShopDatabase(file).close();
    const executed = executedSql();
    const database = new Database(file);
    const models = createSqliteReadModels({ database, declarations: shopDocuments });
    database.exec("CREATE TRIGGER refused BEFORE INSERT ON user_documents BEGIN SELECT raise(ABORT, 'no'); END;");
    executed.length = 0;
    await models.save([sampleOrder()]);
    await expect(models.save([sampleUser()])).rejects.toThrow('no');
    await createSqliteEventLog({ database }).append(sampleCommit(freshStream(), 0));
    const said = executed.map((sql) => /^(PRAGMA sync.*|COMMIT|ROLLBACK|INSERT INTO events)/.exec(sql.trim())?.[0]);
    expect(said.filter(Boolean)).toEqual([
      ...['PRAGMA synchronous = NORMAL', 'COMMIT', 'PRAGMA synchronous = FULL'],
      ...['PRAGMA synchronous = NORMAL', 'ROLLBACK', 'PRAGMA synchronous = FULL'],
      ...['INSERT INTO events', 'COMMIT'],
    ]);
    database.close();
  });

  it('LOG1 appends made in the same turn of the event loop share a transaction', async () => {
    const database = openShopDatabase(file);
    const log = createSqliteEventLog({ database });
    const executed = executedSql();
    await Promise.all(Array.from({ length: 64 }, () => log.append(sampleCommit(freshStream(), 0))));
    expect(executed.filter((sql) => /^BEGIN|^COMMIT/.test(sql))).toEqual(['BEGIN immediate', 'COMMIT']);
    database.close();
  });

  it('LOG2 an append rejects with AppendOutcomeUnknown if its transaction fails, and a retry of the same commit succeeds', async () => {
    const database = openShopDatabase(file);
    const log = createSqliteEventLog({ database });
    const commit = sampleCommit(freshStream(), 0);
    database.pragma('query_only = ON');
    await expect(log.append(commit)).rejects.toThrow(AppendOutcomeUnknown);
    database.pragma('query_only = OFF');
    expect(await log.append(commit)).toEqual({ kind: 'appended', version: 1 });
    database.close();
  });

  it("ERASE1 opening a log from an earlier version adds the index for finding a person's streams", async () => {
    const older = openShopDatabase(file);
    const [stream, person] = [freshStream(), freshId()];
    const data = { person, personal: { fields: [], box: '' } };
    await createSqliteEventLog({ database: older }).append(sampleCommit(stream, 0, 1, { data }));
    older.exec('DROP INDEX events_by_person');
    // Malformed JSON in a body, left by an earlier version or a damaged disk, must not keep the shop from opening.
    older.exec("INSERT INTO events SELECT 2, 'order-x', 1, 'c', 'x', '{' FROM events");
    older.close();
    const executed = executedSql();
    const database = new Database(file);
    expect(await createSqliteEventLog({ database }).streamsOf(person)).toEqual([stream]);
    const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${executed.at(-1)}`).all();
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('USING INDEX events_by_person')]);
    database.close();
  });

  it('a database written by a newer version is rejected with a one-line message and left unchanged', () => {
    const newer = new Database(file);
    newer.pragma('user_version = 99');
    newer.close();
    expect(() => openShopDatabase(file)).toThrow(NewerDataError);
    expect(() => openShopDatabase(file)).toThrow(/^.*shop\.db was written by a newer version.*99.*$/);
    const untouched = new Database(file);
    expect(untouched.pragma('user_version')).toBe(99);
    untouched.close();
  });

  it(`LOG1 after ${KILLS} kills at random moments, the log contains every acknowledged commit and no partial commits`, async () => {
    const acknowledged = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      const printed = await runUntilKilled(file, 1 + Math.floor(Math.random() * 1_500));
      for (const id of printed) acknowledged.add(id);
      const database = openShopDatabase(file);
      const events = await readWhole(createSqliteEventLog({ database }));
      database.close();
      const kept = new Set(events.map(({ id }) => id));
      expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
      const heads = new Map<string, number>();
      for (const event of events) {
        expect(event.streamversion).toBe((heads.get(event.subject) ?? 0) + 1);
        heads.set(event.subject, event.streamversion);
      }
      expect([...heads.values()].filter((head) => head % 2 !== 0)).toEqual([]);
    }
    expect(acknowledged.size).toBeGreaterThan(KILLS);
  }, 180_000);
});

/** Runs a process until it has acknowledged `commits` appends, kills it, and returns the ids of the acknowledged events. */
async function runUntilKilled(file: string, commits: number): Promise<string[]> {
  const child = await spawnProgram('append-forever', [file]);
  const exited = once(child, 'exit');
  const ids: string[] = [];
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    ids.push(...line.split(' ').filter((id) => id.length === 24));
    lines += 1;
    if (lines === commits) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return ids;
}
