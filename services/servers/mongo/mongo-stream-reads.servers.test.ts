import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { StreamName } from '../../contracts/ids.ts';
import type { Commit, EventLog } from '../../engine/log/event-log.ts';
import { freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { freshMongoUri } from '../test-servers/mongo-database.fixture.ts';
import { type MongoDatabases, openMongo } from './mongo.ts';
import { createMongoEventLog } from './mongo-event-log.ts';
import { withCountedReads } from './mongo-reads.fixture.ts';

const { mongoUrl } = inject('servers');
describe('reading streams from MongoDB', () => {
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
  it("LOG1 head() returns the version of a stream's last event, not of its last commit, even after a range of the stream has been read", async () => {
    const stream = freshStream();
    for (let version = 0; version < 80; version += 2) await log.append(sampleCommit(stream, version, 2));
    const other = await another();
    expect(await other.readStream(stream, 0, 1_000)).toHaveLength(80);
    expect(await other.head(stream)).toBe(80);
    expect(await other.readStream(stream, 79, 10)).toHaveLength(1);
  });

  it('LOG2 long streams are read completely from any version, whatever the process has cached of them', async () => {
    const stream = freshStream();
    const commits: Commit[] = [];
    let version = 0;
    for (const count of Array.from({ length: 60 }, (_, index) => (index % 3) + 1)) {
      const commit = sampleCommit(stream, version, count);
      await log.append(commit);
      commits.push(commit);
      version += count;
    }
    for (const neighbour of neighbours(stream)) await log.append(sampleCommit(neighbour, 0, 3));
    const events = commits.flatMap((commit) => commit.events);
    const other = await another();
    expect(await other.head(stream)).toBe(120);
    expect(await other.head(stream)).toBe(120);
    for (const after of [0, 1, 2, 15, 16, 17, 63, 64, 65, 118, 119, 120, 121, 300]) {
      for (const process of [log, other, await another()]) {
        for (const limit of [1, 7, 1_000]) {
          expect(await process.readStream(stream, after, limit)).toEqual(events.slice(after, after + limit));
        }
      }
    }
  });

  it('CMD3 the events with a given cause are found in short and long streams, whichever process appended them', async () => {
    const stream = freshStream();
    const repeated: Commit[] = [];
    for (let version = 0; version < 80; version += 2) {
      const again = version % 10 === 0;
      const commit = sampleCommit(stream, version, 2, { cause: again ? 'place:1' : `place:${version}` });
      const appended = await (await another()).append(commit);
      expect(appended.kind).toBe('appended');
      if (again) repeated.push(commit);
      const expected = repeated.flatMap(({ events }) => events);
      expect(await log.findByCauses(stream, ['place:1'])).toEqual(expected);
      await log.head(stream);
    }
    expect(repeated).toHaveLength(8);
  });

  it('LOG2 a read that starts where the last read ended takes one query, even if another process has appended events since', async () => {
    const stream = freshStream();
    const { db, reads } = withCountedReads(mongo.shop);
    const reading = await createMongoEventLog({ db });
    for (let version = 0; version < 60; version += 2) await log.append(sampleCommit(stream, version, 2));
    await reading.readStream(stream, 0, 1_000);
    for (const [from, to] of [
      [60, 62],
      [62, 66],
    ] as const) {
      const added = [];
      for (let version = from; version < to; version += 2) {
        const commit = sampleCommit(stream, version, 2);
        await log.append(commit);
        added.push(...commit.events);
      }
      // Leaves the log in the same state as after a conflict: it knows the newest version but hasn't read the events up
      // to it.
      await reading.head(stream);
      reads.length = 0;
      expect(await reading.readStream(stream, from, 1_000)).toEqual(added);
      expect(reads).toEqual(['find']);
    }
    reads.length = 0;
    expect(await reading.readStream(stream, 66, 1_000)).toEqual([]);
    expect(reads).toEqual(['find']);
  });
});

/** Returns streams whose commits sort immediately before and after this stream's commits. */
function neighbours(stream: StreamName): StreamName[] {
  return [`${stream}00`, `${stream}ff`];
}
