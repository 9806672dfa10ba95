import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { everyDocument } from '../../contracts/document-queries.ts';
import { eventFeedContract } from '../../engine/feed/event-feed.contract.ts';
import { eventLogContract } from '../../engine/log/event-log.contract.ts';
import { AppendOutcomeUnknown } from '../../engine/log/event-log.ts';
import { freshId, freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { readModelsContract } from '../../engine/read-models/read-models.contract.ts';
import { sampleOrder } from '../../engine/read-models/sample-documents.fixture.ts';
import { systemClock } from '../../runtime/clock.ts';
import { bytesKept } from '../../runtime/heap.fixture.ts';
import { Database } from '../../runtime/sqlite.ts';
import { isFileLost } from '../../runtime/sqlite-file.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import { shopDocuments } from '../../shop/documents.ts';
import { builtPrograms } from '../../whole-shop/test-programs.fixture.ts';
import { openShopDatabase } from './sqlite-database.ts';
import { createSqliteEventFeed } from './sqlite-event-feed.ts';
import { createSqliteEventLog } from './sqlite-event-log.ts';
import { createSqliteReadModels } from './sqlite-read-models.ts';
import { createSqliteSnapshots } from './sqlite-snapshots.ts';
import { startWriter } from './start-writer.ts';
import { wakingLog } from './waking-log.fixture.ts';

const AS_WRITTEN = new URL('./writer-thread.ts', import.meta.url);
let built: URL;
beforeAll(async () => {
  built = pathToFileURL(join(await builtPrograms(), 'writer-thread.js'));
});

/** Opens a file that the writer thread writes and this thread reads. */
function openWritten(folder: string, program = built) {
  const file = join(folder, 'shop.db');
  const database = openShopDatabase(file);
  const reasons: string[] = [];
  const thread = startWriter(file, (reason) => reasons.push(reason), program === AS_WRITTEN ? undefined : program);
  const { writer, ready } = thread;
  const feed = createSqliteEventFeed({
    database,
    writer,
    consumer: 'projector',
    clock: systemClock,
    onError: () => {},
    batchSize: 7,
    backOff: (failures) => 5 * failures,
  });
  const log = wakingLog(createSqliteEventLog({ database, writer }), feed);
  const readModels = createSqliteReadModels({ database, declarations: shopDocuments, writer });
  const snapshots = createSqliteSnapshots({ database, writer });
  database.pragma('query_only = ON');
  return {
    database,
    writer,
    ready,
    feed,
    log,
    readModels,
    snapshots,
    reasons,
    async close() {
      await log.close();
      await feed.close();
      await thread.close();
      database.close();
    },
  };
}

type Written = ReturnType<typeof openWritten>;

/** Opens one file with one writer thread for all tests of a contract. This works if each test uses only its own data. */
function shared(): { current: () => Written; reopen: () => Promise<Written> } {
  const folder = mkdtempSync(join(tmpdir(), 'writer-'));
  let written: Written | undefined;
  const current = () => {
    written ??= openWritten(folder);
    return written;
  };
  afterAll(async () => {
    await written?.close();
    rmSync(folder, { recursive: true });
  });
  return {
    current,
    async reopen() {
      await current().close();
      written = undefined;
      return current();
    },
  };
}

const logs = shared();
eventLogContract('SQLite, written by a thread', async () => ({
  log: logs.current().log,
  reopen: async () => (await logs.reopen()).log,
  dispose: async () => {
    // Some tests close the log, so it's reopened for the next test.
    await logs.reopen();
  },
}));

const models = shared();
readModelsContract('SQLite, written by a thread', async () => ({
  readModels: models.current().readModels,
  reopen: async () => (await models.reopen()).readModels,
  dispose: () => models.current().readModels.clear(),
}));

eventFeedContract('SQLite, written by a thread', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'writer-'));
  let current = openWritten(folder);
  return {
    feed: current.feed,
    async publish(events) {
      const commits = events.map((event) => ({
        id: freshId(),
        stream: event.subject,
        expectedVersion: event.streamversion - 1,
        events: [event],
      }));
      const results = await Promise.all(commits.map((commit) => current.log.append(commit)));
      expect(results.every(({ kind }) => kind === 'appended')).toBe(true);
    },
    async reopen() {
      await current.close();
      current = openWritten(folder);
      return current.feed;
    },
    async dispose() {
      await current.close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe('the writer thread', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'writer-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('LOG8 a separate thread checkpoints the WAL long before the writer thread would do so itself', async () => {
    const { log, writer, close } = openWritten(folder);
    const size = () => statSync(join(folder, 'shop.db')).size;
    const before = size();
    const commits = Array.from({ length: 500 }, () => sampleCommit(freshStream(), 0));
    await Promise.all(commits.map((commit) => log.append(commit)));
    // The checkpoint thread only starts after many writes.
    await Promise.all(commits.map(() => writer.clearSnapshots()));
    await vi.waitFor(() => expect(size()).toBeGreaterThan(before + 100_000), 10_000);
    await close();
  });

  it('LOG8 the writer thread keeps writing if its checkpoint thread fails, and restarts that thread later', async () => {
    const programs = await builtPrograms();
    const failing = mkdtempSync(join(programs, '..', '.building-failing-'));
    cpSync(programs, failing, { recursive: true });
    const mark = join(folder, 'failed');
    writeFileSync(
      join(failing, 'checkpoint-thread.js'),
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, ''); throw new Error('no handles');`,
    );
    const { log, writer, reasons, close } = openWritten(folder, pathToFileURL(join(failing, 'writer-thread.js')));
    const size = () => statSync(join(folder, 'shop.db')).size;
    const before = size();
    const write = (count: number) => Promise.all(Array.from({ length: count }, () => writer.clearSnapshots()));
    await Promise.all(Array.from({ length: 500 }, () => log.append(sampleCommit(freshStream(), 0))));
    await write(500);
    await vi.waitFor(() => expect(existsSync(mark)).toBe(true), 10_000);

    copyFileSync(join(programs, 'checkpoint-thread.js'), join(failing, 'checkpoint-thread.js'));
    const written = async () => {
      await write(100);
      expect(size()).toBeGreaterThan(before + 100_000);
    };
    await vi.waitFor(written, 20_000);
    expect(reasons).toEqual([]);
    await close();
    rmSync(failing, { recursive: true });
  });

  it('LOG8 only the writer thread can write to the database, even if the thread runs from its TypeScript source', async () => {
    const { ready, log, readModels, snapshots, database, reasons, close } = openWritten(folder, AS_WRITTEN);
    await ready;
    expect(await log.append(sampleCommit(freshStream(), 0))).toEqual({ kind: 'appended', version: 1 });
    const order = sampleOrder();
    const versionOf = () => readModels.versionOf(everyDocument('order'), { limit: 1 });
    const before = await versionOf();
    expect(await readModels.save([order])).toEqual([]);
    expect(await versionOf()).not.toBe(before);
    expect(await readModels.get('order', order.id)).toEqual(order);
    const snapshot = { stream: freshStream(), fold: 1, version: 1, event: freshId(), state: { a: 1 } };
    await snapshots.keep(snapshot);
    expect(await snapshots.find(snapshot.stream)).toEqual(snapshot);
    expect(() => database.exec('DELETE FROM events')).toThrow(/readonly/);
    await close();
    expect(reasons).toEqual([]);
  });

  it('ERASE1 LOG8 a wipe fails without delaying appends while another connection is reading, and succeeds afterwards', async () => {
    const { ready, log, writer, readModels, close } = openWritten(folder);
    await ready;
    const walSize = () => statSync(join(folder, 'shop.db-wal')).size;
    const append = () => log.append(sampleCommit(freshStream(), 0));
    await append();
    const reader = new Database(join(folder, 'shop.db'), { readOnly: true });
    reader.exec('BEGIN; SELECT * FROM events');
    await readModels.save([sampleOrder()]);
    const began = performance.now();
    const wiped = expect(writer.wipe()).rejects.toThrow('cannot be emptied while it is being read');
    const results = await Promise.all(Array.from({ length: 20 }, append));
    // With the busy timeout of ordinary writes, the appends would wait 5 s for the wipe.
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(results.every(({ kind }) => kind === 'appended')).toBe(true);
    await wiped;
    expect(walSize()).toBeGreaterThan(0);
    reader.exec('COMMIT');
    await writer.wipe();
    expect(walSize()).toBe(0);
    reader.close();
    await close();
  });

  it('LOG8 the writer frees the memory of completed writes', async () => {
    const answering = `import { parentPort } from "node:worker_threads";
      parentPort.on("message", (asked) =>
        asked ? parentPort.postMessage({ number: asked.number, result: null }) : parentPort.close());`;
    const program = new URL(`data:text/javascript,${encodeURIComponent(answering)}`);
    const { writer, close } = startWriter(join(folder, 'shop.db'), () => {}, program);
    const many = () => Promise.all(Array.from({ length: 20_000 }, () => writer.clearSnapshots()));
    await many();
    expect(await bytesKept(many)).toBeLessThan(2_000_000);
    await close();
  });

  it('LOG8 a process with no other work stays alive until its writer thread has finished writing and exited', async () => {
    const file = join(folder, 'shop.db');
    await openWritten(folder).close();
    const program = `
      import { startWriter } from '${new URL('./start-writer.ts', import.meta.url)}';
      const { writer, close } = startWriter(${JSON.stringify(file)}, () => {}, new URL('${built}'));
      await writer.clearSnapshots();
      await close();
      console.log('closed');`;
    const closing = join(folder, 'closing.mjs');
    writeFileSync(closing, program);
    const ended = await promisify(execFile)(process.execPath, ['--import', 'tsx', closing]);
    expect(ended.stdout).toBe('closed\n');
  });

  it('LOG8 a process that exits first waits until its writer thread has finished writing', async () => {
    const file = join(folder, 'shop.db');
    await openWritten(folder).close();
    const program = `
      import { openShopDatabase } from '${new URL('./sqlite-database.ts', import.meta.url)}';
      import { startWriter } from '${new URL('./start-writer.ts', import.meta.url)}';
      const reader = openShopDatabase(${JSON.stringify(file)});
      const { writer, ready } = startWriter(${JSON.stringify(file)}, () => {}, new URL('${built}'));
      process.on('exit', () => console.log(reader.prepare('SELECT count(*) AS kept FROM snapshots').get().kept));
      await ready;
      for (let n = 0; n < 300; n += 1) void writer.keepSnapshot('order-' + n, 'a');
      process.exit(3);`;
    const exiting = join(folder, 'exiting.mjs');
    writeFileSync(exiting, program);
    const ended = promisify(execFile)(process.execPath, ['--import', 'tsx', exiting]);
    await expect(ended).rejects.toMatchObject({ code: 3, stdout: '300\n', stderr: '' });
  });

  it('LOG8 a SQLite error in the writer thread reaches the caller with its error code', async () => {
    const { writer, close } = openWritten(folder);
    const refused = await writer.keepSnapshot(freshStream(), null as never).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      message: expect.stringContaining('NOT NULL'),
      code: 'ERR_SQLITE_ERROR',
      errcode: 1299,
    });
    expect(isFileLost(refused)).toBe(false);
    await close();
  });

  it('LOG8 LOG2 CMD1 if the writer thread dies, pending appends have an unknown outcome, later writes fail, and the shop is notified once', async () => {
    const dying = 'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(3));';
    const written = openWritten(folder, new URL(`data:text/javascript,${dying}`));
    const commit = sampleCommit(freshStream(), 0);
    const appends = [written.log.append(commit), written.log.append(sampleCommit(freshStream(), 0))];
    for (const append of await Promise.allSettled(appends)) {
      expect(append).toMatchObject({ status: 'rejected', reason: expect.any(AppendOutcomeUnknown) });
    }
    await expect(written.readModels.save([sampleOrder()])).rejects.toThrow(StoreUnavailable);
    await expect(written.log.append(commit)).rejects.toThrow(AppendOutcomeUnknown);
    await expect(written.ready).rejects.toThrow(StoreUnavailable);
    expect(written.reasons).toEqual([
      expect.stringMatching(/^The thread that writes .*shop\.db has ended \(exit code 3\)\.$/),
    ]);
    expect(await written.log.readStream(commit.stream, 0, 10)).toEqual([]);
    await written.close();
  });
});
