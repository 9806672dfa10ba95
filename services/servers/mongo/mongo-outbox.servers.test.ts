import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { commitName, type StreamName } from '../../contracts/ids.ts';
import type { Outbox } from '../../engine/feed/outbox.ts';
import type { EventLog } from '../../engine/log/event-log.ts';
import { freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { openFreshMongo } from '../test-servers/mongo-database.fixture.ts';
import type { MongoDatabases } from './mongo.ts';
import { createMongoEventLog } from './mongo-event-log.ts';
import { createMongoOutbox } from './mongo-outbox.ts';

describe('open commits in MongoDB', () => {
  let mongo: MongoDatabases;
  let log: EventLog;
  let open: Outbox;
  let unreadable: string[];
  beforeEach(async () => {
    mongo = await openFreshMongo(inject('servers').mongoUrl);
    log = await createMongoEventLog({ db: mongo.shop });
    unreadable = [];
    open = createMongoOutbox({ db: mongo.shop, onUnreadable: (name) => unreadable.push(name) });
  });
  afterEach(async () => {
    await mongo.shop.dropDatabase();
    await mongo.close();
  });

  /** Appends `count` single-event commits, and returns their names. */
  async function append(stream: StreamName, count: number): Promise<string[]> {
    const names: string[] = [];
    for (let version = 0; version < count; version++) {
      await log.append(sampleCommit(stream, version));
      names.push(commitName(stream, version + 1));
    }
    return names;
  }

  it('FEED2 a commit is open from its append until it is closed, and stays in the log after that', async () => {
    const stream = freshStream();
    const names = await append(stream, 3);
    expect((await open.list(10)).sort()).toEqual(names);
    await open.close(names.slice(1));
    await open.close([...names.slice(1), 'none']);
    expect(await open.list(10)).toEqual(names.slice(0, 1));
    expect(await log.readStream(stream, 0, 10)).toHaveLength(3);
  });

  it('FEED2 list() returns the oldest open commits if there are more than its limit', async () => {
    const names = await append(freshStream(), 8);
    await open.close(names.slice(0, 2));
    expect((await open.list(3)).sort()).toEqual(names.slice(2, 5));
  });

  it('FEED2 read() returns only commits that are still open, with their events exactly as appended', async () => {
    const stream = freshStream();
    const commit = sampleCommit(stream, 0, 3, { data: { note: '৳', nothing: null, deep: { list: [1, 0.5, 'x'] } } });
    await log.append(commit);
    const [closed] = await append(freshStream(), 1);
    const name = commitName(stream, 1);
    await open.close([closed ?? '']);
    expect(await open.read([name, closed ?? '', 'none'])).toEqual([{ name, events: commit.events }]);
  });

  it('FEED2 a commit that cannot be read is reported, and the other commits are still read', async () => {
    const [name = ''] = await append(freshStream(), 1);
    const strange = commitName(freshStream(), 1);
    await mongo.shop
      .collection<{ _id: string }>('commits')
      .insertOne({ _id: strange, open: true, events: [{ id: 7 }] } as { _id: string });
    expect((await open.read([name, strange])).map((commit) => commit.name)).toEqual([name]);
    expect(unreadable).toEqual([strange]);
  });

  it('FEED2 any number of commits can be closed at once', async () => {
    const stream = freshStream();
    const names = Array.from({ length: 2_500 }, (_, index) => commitName(stream, index + 1));
    const commits = mongo.shop.collection<{ _id: string; open: true }>('commits');
    await commits.insertMany(names.map((name) => ({ _id: name, open: true })));
    const [other = ''] = await append(freshStream(), 1);
    await open.close(names);
    expect(await open.list(10_000)).toEqual([other]);
    await open.close([]);
  });
});
