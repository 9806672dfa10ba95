import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../contracts/events.ts';
import { type EventLog, InvalidCommit, MAX_COMMIT_BYTES, MAX_COMMIT_EVENTS } from './event-log.ts';
import { freshId, freshStream, sampleCommit, sampleEvent } from './sample-events.fixture.ts';

/** A log for one test. Its data may be shared with other tests, because each test uses its own streams. */
export interface EventLogHarness {
  readonly log: EventLog;
  /** Closes the log and opens a new one on the same data. */
  reopen(): Promise<EventLog>;
  /** Closes the log and deletes its data, unless the next test reuses that data. */
  dispose(): Promise<void>;
}

/** Contract tests that every EventLog adapter must pass. The log that `start` opens may already contain streams from other tests. */
export function eventLogContract(adapter: string, start: () => Promise<EventLogHarness>): void {
  describe(`EventLog: ${adapter}`, () => {
    let harness: EventLogHarness;
    let log: EventLog;
    beforeEach(async () => {
      harness = await start();
      log = harness.log;
    });
    afterEach(() => harness.dispose());

    it('LOG2 event versions in a stream start at 1 and have no gaps', async () => {
      const stream = freshStream();
      expect(await log.head(stream)).toBe(0);
      const commits = [sampleCommit(stream, 0, 1), sampleCommit(stream, 1, 3), sampleCommit(stream, 4, 2)];
      const results = [];
      for (const commit of commits) results.push(await log.append(commit));
      expect(results).toEqual([
        { kind: 'appended', version: 1 },
        { kind: 'appended', version: 4 },
        { kind: 'appended', version: 6 },
      ]);
      expect(await log.head(stream)).toBe(6);
      expect(await log.readStream(stream, 0, 100)).toEqual(commits.flatMap(({ events }) => events));
    });

    it('LOG2 an append with a wrong expected version is a conflict, which returns the actual version and appends nothing', async () => {
      const stream = freshStream();
      const first = sampleCommit(stream, 0, 3);
      await log.append(first);
      for (const expectedVersion of [0, 1, 2, 4, 9]) {
        expect(await log.append(sampleCommit(stream, expectedVersion))).toEqual({ kind: 'conflict', actualVersion: 3 });
      }
      expect(await log.append(sampleCommit(freshStream(), 1))).toEqual({ kind: 'conflict', actualVersion: 0 });
      expect(await log.readStream(stream, 0, 100)).toEqual(first.events);
    });

    it('LOG2 exactly one of 50 simultaneous appends with the same expected version succeeds', async () => {
      const stream = freshStream();
      for (const version of [0, 2]) {
        const racing = Array.from({ length: 50 }, () => sampleCommit(stream, version, 2));
        const results = await Promise.all(racing.map((commit) => log.append(commit)));
        const winners = racing.filter((_, index) => results[index]?.kind === 'appended');
        expect(winners).toHaveLength(1);
        expect(results.filter(({ kind }) => kind === 'conflict')).toHaveLength(49);
        expect(await log.readStream(stream, version, 100)).toEqual(winners[0]?.events);
      }
    });

    it('LOG2 a conflict on one stream does not make simultaneous appends to other streams fail', async () => {
      const taken = freshStream();
      await log.append(sampleCommit(taken, 0));
      const streams = Array.from({ length: 20 }, freshStream);
      const results = await Promise.all(
        streams.flatMap((stream) => [log.append(sampleCommit(stream, 0)), log.append(sampleCommit(taken, 0))]),
      );
      expect(results.filter(({ kind }) => kind === 'appended')).toHaveLength(20);
      for (const stream of streams) expect(await log.head(stream)).toBe(1);
      expect(await log.head(taken)).toBe(1);
    });

    it('LOG2 hundreds of simultaneous appends to different streams all succeed', async () => {
      const streams = Array.from({ length: 700 }, freshStream);
      const results = await Promise.all(streams.map((stream) => log.append(sampleCommit(stream, 0))));
      expect(results.every(({ kind }) => kind === 'appended')).toBe(true);
      expect(await Promise.all(streams.map((stream) => log.head(stream)))).toEqual(streams.map(() => 1));
    });

    it('LOG2 appending a commit again returns the same result and appends nothing', async () => {
      const stream = freshStream();
      const commit = sampleCommit(stream, 0, 2);
      expect(await log.append(commit)).toEqual({ kind: 'appended', version: 2 });
      expect(await log.append(commit)).toEqual({ kind: 'appended', version: 2 });
      await log.append(sampleCommit(stream, 2, 3));
      expect(await log.append(commit)).toEqual({ kind: 'appended', version: 2 });
      expect(await log.head(stream)).toBe(5);
    });

    it('LOG2 a commit that is sent twice at the same time is appended only once', async () => {
      const commit = sampleCommit(freshStream(), 0, 2);
      const results = await Promise.all([log.append(commit), log.append(commit)]);
      expect(results).toEqual([
        { kind: 'appended', version: 2 },
        { kind: 'appended', version: 2 },
      ]);
      expect(await log.readStream(commit.stream, 0, 10)).toEqual(commit.events);
    });

    it("LOG2 an append that reuses an earlier commit's id with a different expected version is a conflict", async () => {
      const stream = freshStream();
      const first = sampleCommit(stream, 0);
      await log.append(first);
      await log.append(sampleCommit(stream, 1));
      expect(await log.append({ ...sampleCommit(stream, 1), id: first.id })).toMatchObject({ kind: 'conflict' });
    });

    it('LOG2 a commit of 256 events is accepted, but an empty commit or one of 257 events is rejected', async () => {
      const stream = freshStream();
      await expect(log.append(sampleCommit(stream, 0, MAX_COMMIT_EVENTS + 1))).rejects.toThrow(InvalidCommit);
      await expect(log.append(sampleCommit(stream, 0, 0))).rejects.toThrow(InvalidCommit);
      expect(await log.append(sampleCommit(stream, 0, MAX_COMMIT_EVENTS))).toEqual({ kind: 'appended', version: 256 });
    });

    it('LOG2 a commit of 1 MB is accepted, and a larger one is rejected', async () => {
      const stream = freshStream();
      const sized = (bytes: number) => {
        const bare = sampleCommit(stream, 0, 1, { data: { text: '' } });
        const text = 'x'.repeat(bytes - Buffer.byteLength(JSON.stringify(bare.events)));
        return { ...bare, events: bare.events.map((event) => ({ ...event, data: { text } })) };
      };
      await expect(log.append(sized(MAX_COMMIT_BYTES + 1))).rejects.toThrow(InvalidCommit);
      expect(await log.append(sized(MAX_COMMIT_BYTES))).toEqual({ kind: 'appended', version: 1 });
    });

    it('LOG2 a commit with a gap in its versions or with an event of another stream is rejected', async () => {
      const stream = freshStream();
      const commit = (events: StoredEvent[]) => ({ ...sampleCommit(stream, 0), events });
      await expect(log.append(commit([sampleEvent(stream, 1), sampleEvent(stream, 3)]))).rejects.toThrow(InvalidCommit);
      await expect(log.append(commit([sampleEvent(stream, 2)]))).rejects.toThrow(InvalidCommit);
      await expect(log.append(commit([sampleEvent(freshStream(), 1)]))).rejects.toThrow(InvalidCommit);
      expect(await log.head(stream)).toBe(0);
    });

    it("CMD3 findByCauses() returns a stream's events that have one of the given causes, in stream order", async () => {
      const [stream, other] = [freshStream(), freshStream()];
      const placed = sampleCommit(stream, 0, 2, { cause: 'place:1' });
      const placedLater = sampleCommit(stream, 3, 1, { cause: 'place:1' });
      await log.append(placed);
      const between = sampleCommit(stream, 2, 1, { cause: 'place:2' });
      await log.append(between);
      await log.append(placedLater);
      await log.append(sampleCommit(other, 0, 1, { cause: 'place:1' }));
      const ofOne = [...placed.events, ...placedLater.events];
      expect(await log.findByCauses(stream, ['place:1'])).toEqual(ofOne);
      const ofBoth = [...placed.events, ...between.events, ...placedLater.events];
      expect(await log.findByCauses(stream, ['place:2', 'place:1', 'place:3', 'place:2'])).toEqual(ofBoth);
      expect(await log.findByCauses(stream, ['place:3'])).toEqual([]);
      expect(await log.findByCauses(stream, [])).toEqual([]);
      expect(await log.findByCauses(freshStream(), ['place:1'])).toEqual([]);
    });

    it('LOG2 readStream() returns a stream in pages, even if a page spans several commits or splits one', async () => {
      const stream = freshStream();
      const events: StoredEvent[] = [];
      for (const count of [4, 1, 7, 3]) {
        const commit = sampleCommit(stream, events.length, count);
        await log.append(commit);
        events.push(...commit.events);
      }
      for (const limit of [1, 2, 5, 15, 16]) {
        const read: StoredEvent[] = [];
        for (let page = await log.readStream(stream, 0, limit); page.length > 0; ) {
          read.push(...page);
          page = page.length < limit ? [] : await log.readStream(stream, read.length, limit);
        }
        expect(read).toEqual(events);
      }
      expect(await log.readStream(stream, 15, 10)).toEqual([]);
      expect(await log.readStream(freshStream(), 0, 10)).toEqual([]);
    });

    it("LOG2 readAll() returns every event exactly once, in pages, with each stream's events in order", async () => {
      const streams = Array.from({ length: 6 }, freshStream);
      for (let round = 0; round < 5; round++) {
        await Promise.all(streams.map((stream) => log.append(sampleCommit(stream, round * 3, 3))));
      }
      const read = await readWhole(log, 7);
      expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
      for (const stream of streams) {
        const versions = read.filter(({ subject }) => subject === stream).map((event) => event.streamversion);
        expect(versions).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
      }
    });

    it('LOG2 readAll() returns every event appended before its first call, even if more events are appended in the meantime', async () => {
      const before = Array.from({ length: 8 }, () => sampleCommit(freshStream(), 0, 2));
      for (const commit of before) await log.append(commit);
      const read: StoredEvent[] = [];
      let page = await log.readAll(null, 3);
      while (page.events.length > 0) {
        read.push(...page.events);
        if (read.length < 9) await log.append(sampleCommit(freshStream(), 0, 2));
        page = await log.readAll(page.position, 3);
      }
      const ids = read.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(before.flatMap(({ events }) => events.map(({ id }) => id))));
    });

    it('ERASE1 streamsOf() returns exactly the streams whose first event names the person, including newly appended ones', async () => {
      const [person, other] = [freshId(), freshId()];
      const named = (who: string) => ({ data: { person: who, personal: { fields: [], box: '' } } });
      expect(await log.streamsOf(person)).toEqual([]);
      const [first, second, later, others] = [freshStream(), freshStream(), freshStream(), freshStream()];
      await log.append(sampleCommit(first, 0, 3, named(person)));
      expect(await log.streamsOf(person)).toEqual([first]);
      await log.append(sampleCommit(second, 0, 1, named(person)));
      await log.append(sampleCommit(others, 0, 1, named(other)));
      // A product's stream also names buyers, but never in the stream's first event.
      await log.append(sampleCommit(later, 0));
      await log.append(sampleCommit(later, 1, 1, named(person)));
      const reopened = await harness.reopen();
      expect((await reopened.streamsOf(person)).sort()).toEqual([first, second].sort());
      expect(await reopened.streamsOf(other)).toEqual([others]);
    });

    it('LOG1 a reopened log contains everything that was appended, and accepts new appends', async () => {
      const stream = freshStream();
      const first = sampleCommit(stream, 0, 3, { cause: 'place:1' });
      await log.append(first);
      const reopened = await harness.reopen();
      expect(await reopened.head(stream)).toBe(3);
      expect(await reopened.readStream(stream, 0, 10)).toEqual(first.events);
      expect(await reopened.findByCauses(stream, ['place:1'])).toEqual(first.events);
      expect(await reopened.append(first)).toEqual({ kind: 'appended', version: 3 });
      expect(await reopened.append(sampleCommit(stream, 3))).toEqual({ kind: 'appended', version: 4 });
    });

    it('LOG1 an append that is queued when the log closes is acknowledged only if it is stored', async () => {
      const commits = Array.from({ length: 40 }, () => sampleCommit(freshStream(), 0));
      const asked = Promise.allSettled(commits.map((commit) => log.append(commit)));
      const reopened = await harness.reopen();
      const outcomes = await asked;
      for (const [index, commit] of commits.entries()) {
        if (outcomes[index]?.status === 'fulfilled') expect(await reopened.head(commit.stream)).toBe(1);
      }
      await expect(log.append(sampleCommit(freshStream(), 0))).rejects.toThrow();
    });
  });
}

/** Reads all events of a log, in pages of `limit`. */
export async function readWhole(log: EventLog, limit = 1000): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  let position: string | null = null;
  for (;;) {
    const page: { events: StoredEvent[]; position: string | null } = await log.readAll(position, limit);
    if (page.events.length === 0) return events;
    events.push(...page.events);
    position = page.position;
  }
}
