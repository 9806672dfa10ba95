import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { StreamName } from '../../contracts/ids.ts';
import { readWhole } from '../../engine/log/event-log.contract.ts';
import { AppendOutcomeUnknown, type Commit, type EventLog } from '../../engine/log/event-log.ts';
import { freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { freshMongoUri } from '../test-servers/mongo-database.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../test-servers/tcp-proxy.fixture.ts';
import { type MongoDatabases, openMongo } from './mongo.ts';
import { createMongoEventLog } from './mongo-event-log.ts';

const { mongoUrl } = inject('servers');
describe('MongoDB event log over a connection that breaks', () => {
  let direct: MongoDatabases;
  let broken: MongoDatabases;
  let proxy: TcpProxy;
  let log: EventLog;
  let told: Commit[];
  beforeEach(async () => {
    const uri = new URL(freshMongoUri(mongoUrl));
    direct = await openMongo(uri.href);
    proxy = await startTcpProxy(Number(uri.port));
    // Without `retryWrites=false`, the driver would retry writes itself if the server is a replica set. These tests are
    // about the log's own handling of failures.
    broken = await openMongo(`mongodb://127.0.0.1:${proxy.port}${uri.pathname}?retryWrites=false`);
    told = [];
    log = await createMongoEventLog({ db: broken.shop, onAppended: (commit) => told.push(commit) });
  });
  afterEach(async () => {
    await broken.close();
    await proxy.close();
    await direct.shop.dropDatabase();
    await direct.close();
  });

  const stored = () => direct.shop.collection('commits').countDocuments();

  it("LOG2 if the response to an append is lost, the append's outcome is unknown, and after a retry the log contains the commit only once", async () => {
    const stream = freshStream();
    await log.append(sampleCommit(stream, 0));
    const commit = sampleCommit(stream, 1, 2);
    proxy.holdAnswers();
    const asked = expect(log.append(commit)).rejects.toThrow(AppendOutcomeUnknown);
    await expect.poll(stored).toBe(2);
    expect(told).toHaveLength(1);
    proxy.cut();
    await asked;
    await proxy.restore();
    expect(await log.append(commit)).toEqual({ kind: 'appended', version: 3 });
    expect(told).toEqual([expect.anything(), commit]);
    expect(await log.append(sampleCommit(stream, 3))).toEqual({ kind: 'appended', version: 4 });
    expect(await log.append(commit)).toEqual({ kind: 'appended', version: 3 });
    expect(await log.readStream(stream, 1, 2)).toEqual(commit.events);
    expect(await stored()).toBe(3);
  });

  it('LOG2 retrying an append whose outcome is unknown results in a conflict if another commit was appended in its place', async () => {
    const stream = freshStream();
    const [commit, winner] = [sampleCommit(stream, 0), sampleCommit(stream, 0, 2)];
    await proxy.refuse();
    await expect(log.append(commit)).rejects.toThrow(AppendOutcomeUnknown);
    await (await createMongoEventLog({ db: direct.shop })).append(winner);
    await proxy.restore();
    await expect.poll(() => broken.ping().then(() => 'up', String), { timeout: 30_000 }).toBe('up');
    expect(await log.append(commit)).toEqual({ kind: 'conflict', actualVersion: 2 });
    expect(told).toEqual([]);
  });

  it('LOG2 while MongoDB is down, no commit is lost or duplicated, and appends succeed again once it is back', async () => {
    const stream = freshStream();
    await log.append(sampleCommit(stream, 0));
    const commit = sampleCommit(stream, 1);
    await proxy.refuse();
    await expect(log.append(commit)).rejects.toThrow(AppendOutcomeUnknown);
    await expect(log.readStream(stream, 0, 10)).rejects.toThrow();
    await proxy.restore();
    await expect
      .poll(() => log.append(commit).catch(String), { timeout: 30_000 })
      .toEqual({ kind: 'appended', version: 2 });
    expect(await stored()).toBe(2);
  });

  it('LOG2 when connections are cut repeatedly during many appends, each commit is in the log exactly once and is reported', async () => {
    const streams = Array.from({ length: 12 }, freshStream);
    let finished = false;
    const cutting = (async () => {
      for (let cuts = 0; !finished && cuts < 200; cuts += 1) {
        const before = await stored();
        await expect.poll(async () => finished || (await stored()) > before, { timeout: 30_000 }).toBe(true);
        proxy.cut();
      }
    })();
    await Promise.all(streams.map((stream) => appendKnown(log, stream, 10)));
    finished = true;
    await cutting;
    const events = await readWhole(await createMongoEventLog({ db: direct.shop }));
    for (const stream of streams) {
      const versions = events.filter(({ subject }) => subject === stream).map((event) => event.streamversion);
      expect(versions).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
    }
    const names = new Set(told.flatMap((commit) => commit.events.map(({ id }) => id)));
    expect(names).toEqual(new Set(events.map(({ id }) => id)));
  });
});

/** Appends `count` events one at a time, and retries each append until the log confirms it. */
async function appendKnown(log: EventLog, stream: StreamName, count: number): Promise<void> {
  for (let version = 0; version < count; version += 1) {
    const commit = sampleCommit(stream, version);
    await expect
      .poll(() => log.append(commit).catch((error: Error) => error.name), { timeout: 30_000, interval: 5 })
      .toEqual({ kind: 'appended', version: version + 1 });
  }
}
