import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { StreamName } from '../../contracts/ids.ts';
import { eventLogContract, readWhole } from '../../engine/log/event-log.contract.ts';
import { AppendOutcomeUnknown, type Commit, type EventLog, InvalidCommit } from '../../engine/log/event-log.ts';
import { freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { freshMongoUri } from '../test-servers/mongo-database.fixture.ts';
import { type MongoDatabases, openMongo } from './mongo.ts';
import { UnreadableCommit } from './mongo-commits.ts';
import { createMongoEventLog } from './mongo-event-log.ts';
import { withLaggingReads } from './mongo-reads.fixture.ts';

const { mongoUrl } = inject('servers');
eventLogContract('MongoDB', async () => {
  const uri = freshMongoUri(mongoUrl);
  let mongo = await openMongo(uri);
  let log = await createMongoEventLog({ db: mongo.shop });
  const close = async () => {
    await log.close();
    await mongo.close();
  };
  return {
    log,
    async reopen() {
      await close();
      mongo = await openMongo(uri);
      log = await createMongoEventLog({ db: mongo.shop });
      return log;
    },
    async dispose() {
      await mongo.shop.dropDatabase();
      await close();
    },
  };
});

describe('MongoDB event log', () => {
  let uri: string;
  let mongo: MongoDatabases;
  let log: EventLog;
  beforeEach(async () => {
    uri = freshMongoUri(mongoUrl);
    mongo = await openMongo(uri);
    log = await createMongoEventLog({ db: mongo.shop });
  });
  afterEach(async () => {
    await mongo.shop.dropDatabase();
    await mongo.close();
  });

  /** Opens the log as another process would, with nothing cached. */
  const another = () => createMongoEventLog({ db: mongo.shop });
  const documents = () => mongo.shop.collection('commits').find().sort({ _id: 1 }).toArray();
  it("a commit is stored as one open document whose id is the commit's name, in a collection with named indexes", async () => {
    const stream = freshStream();
    const commit = sampleCommit(stream, 0, 2, { cause: 'place:1' });
    await log.append(commit);
    expect(await documents()).toEqual([
      {
        _id: `${stream}:000000000001`,
        stream,
        n: 1,
        last: 2,
        commit: commit.id,
        causes: ['place:1'],
        events: commit.events,
        open: true,
      },
    ]);
    const indexes = await mongo.shop.collection('commits').indexes();
    expect(indexes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'stream_causes', key: { stream: 1, causes: 1 } }),
        expect.objectContaining({ name: 'open', key: { open: 1 }, sparse: true }),
      ]),
    );
    await another();
    expect(await mongo.shop.collection('commits').indexes()).toEqual(indexes);
  });

  it('PRJ3 events are returned exactly as a JSON round trip would return them, including the order of their keys', async () => {
    const data = {
      zebra: 1,
      apple: 2_147_483_648,
      safe: Number.MAX_SAFE_INTEGER,
      negative: -Number.MAX_SAFE_INTEGER,
      minus: -0,
      decimal: 0.1,
      tiny: 5e-324,
      huge: 1.7e308,
      empty: '',
      nothing: null,
      gone: undefined,
      unicode: 'ক্রয় ৳ 🖥️ \u0000 \u2028',
      'a.dotted.key': { $set: 1, 'x.$y': [] },
      $key: '$value',
      nested: [[], [[1, ['']]], {}, [null, undefined, false]],
      list: [3, 'two', { b: 1, a: 2 }],
      _id: 'not an id',
      __proto: 'x',
    };
    const stream = freshStream();
    const commit = sampleCommit(stream, 0, 2, { data });
    await log.append(commit);
    const text = JSON.stringify(commit.events);
    expect(JSON.stringify(await log.readStream(stream, 0, 10))).toBe(text);
    expect(await log.readStream(stream, 0, 10)).toStrictEqual(JSON.parse(text));
    expect(JSON.stringify((await log.readAll(null, 10)).events)).toBe(text);
    expect(JSON.stringify(await log.findByCauses(stream, ['intent:1']))).toBe(`[${JSON.stringify(commit.events[0])}]`);
  });

  it('LOG2 a commit that cannot be stored is refused immediately instead of being retried', async () => {
    const commit = sampleCommit(freshStream(), 0, 1, { data: { 'null\u0000byte': 1 } });
    await expect(log.append(commit)).rejects.toThrow(InvalidCommit);
    expect(await documents()).toEqual([]);
  });

  it('FEED2 the log reports a commit once it is stored, again if a retry finds it already stored, and never if it conflicts', async () => {
    const told: Commit[] = [];
    const telling = await createMongoEventLog({ db: mongo.shop, onAppended: (commit) => told.push(commit) });
    const stream = freshStream();
    const [first, second] = [sampleCommit(stream, 0, 2), sampleCommit(stream, 2)];
    await telling.append(first);
    await telling.append(second);
    await telling.append(sampleCommit(stream, 2));
    expect(told).toEqual([first, second]);
    await telling.append(first);
    expect(told).toEqual([first, second, first]);
  });

  it("LOG2 a new commit whose expected version is not the stream's current version is refused, whatever the process has cached of the stream", async () => {
    const stream = freshStream();
    const commits = [sampleCommit(stream, 0, 3), sampleCommit(stream, 3, 3)];
    for (const commit of commits) await log.append(commit);
    for (const expectedVersion of [0, 1, 2, 3, 4, 5, 7]) {
      for (const process of [log, await another()]) {
        const result = await process.append(sampleCommit(stream, expectedVersion));
        expect(result).toEqual({ kind: 'conflict', actualVersion: 6 });
      }
    }
    const early = await another();
    await early.readStream(stream, 0, 1);
    await log.append(sampleCommit(stream, 6, 2));
    expect(await early.append(sampleCommit(stream, 7))).toEqual({ kind: 'conflict', actualVersion: 8 });
    expect(await early.append(sampleCommit(stream, 6))).toEqual({ kind: 'conflict', actualVersion: 8 });
    expect(await early.append(sampleCommit(stream, 8))).toEqual({ kind: 'appended', version: 9 });
    for (const commit of commits) {
      expect(await (await another()).append(commit)).toMatchObject({ kind: 'appended' });
    }
    expect(await documents()).toHaveLength(4);
  });

  it('LOG2 when two processes race to append to one stream, exactly one wins each round, and no version is lost or skipped', async () => {
    const other = await openMongo(uri);
    const logs = [log, await createMongoEventLog({ db: other.shop })];
    const stream = freshStream();
    const won: Commit[] = [];
    let version = 0;
    for (let round = 0; round < 150; round += 1) {
      const racing = logs.map((_, index) => sampleCommit(stream, version, 1 + ((round + index) % 3)));
      const results = await Promise.all(racing.map((commit, index) => logs[index]?.append(commit)));
      const winners = racing.filter((_, index) => results[index]?.kind === 'appended');
      expect(winners).toHaveLength(1);
      won.push(...winners);
      version += winners[0]?.events.length ?? 0;
      expect(results).toContainEqual({ kind: 'conflict', actualVersion: version });
    }
    const events = won.flatMap((commit) => commit.events);
    for (const reader of [...logs, await another()]) {
      expect(await reader.head(stream)).toBe(version);
      expect(await reader.readStream(stream, 0, 1_000)).toEqual(events);
    }
    await other.close();
  });

  it('LOG2 processes that retry after each conflict eventually append all their commits', async () => {
    const connections = await Promise.all([uri, uri, uri].map((one) => openMongo(one)));
    const logs = await Promise.all(connections.map(({ shop }) => createMongoEventLog({ db: shop })));
    const stream = freshStream();
    const appended = await Promise.all(logs.map((one) => appendMany(one, stream, 60)));
    const events = await log.readStream(stream, 0, 1_000);
    expect(events.map((event) => event.streamversion)).toEqual(events.map((_, index) => index + 1));
    const byId = new Map(events.map((event) => [event.id, event]));
    expect(byId.size).toBe(3 * 60 * 2);
    for (const event of appended.flat()) expect(byId.get(event.id)).toEqual(event);
    await Promise.all(connections.map((connection) => connection.close()));
  });

  it('LOG2 reading a document that is not a valid commit fails with an error that names the commit', async () => {
    const stream = freshStream();
    await log.append(sampleCommit(stream, 0, 2));
    await mongo.shop.collection('commits').updateOne({ stream }, { $set: { last: 3 } });
    await expect(log.readStream(stream, 0, 10)).rejects.toThrow(UnreadableCommit);
    await expect(readWhole(log)).rejects.toThrow(`Commit ${stream}:000000000001 is not readable.`);
  });

  for (const reads of [['find', 'findOne'], ['find'], ['findOne']]) {
    it(`LOG2 an append's outcome is unknown if its name is taken by a commit that isn't durable yet and that ${reads.join(' and ')} therefore can't see`, async () => {
      const { db, lag } = withLaggingReads(mongo.shop);
      const lagging = await createMongoEventLog({ db });
      const [commit, other] = [sampleCommit(freshStream(), 0), sampleCommit(freshStream(), 0)];
      for (const one of [commit, other]) await log.append(one);
      lag(reads);
      await expect(lagging.append(commit)).rejects.toThrow(AppendOutcomeUnknown);
      await expect(lagging.append(sampleCommit(other.stream, 0))).rejects.toThrow(AppendOutcomeUnknown);
      lag([]);
      expect(await lagging.append(commit)).toEqual({ kind: 'appended', version: 1 });
    });
  }
});

/** Appends `count` two-event commits to a stream while other callers append to it too. Returns the appended events. */
async function appendMany(log: EventLog, stream: StreamName, count: number) {
  const events = [];
  let version = 0;
  for (let done = 0; done < count; ) {
    const commit = sampleCommit(stream, version, 2);
    const result = await log.append(commit);
    version = result.kind === 'appended' ? result.version : result.actualVersion;
    if (result.kind === 'conflict') continue;
    events.push(...commit.events);
    done += 1;
  }
  return events;
}
