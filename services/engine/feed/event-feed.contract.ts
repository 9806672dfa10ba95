import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { freshStream, sampleEvent } from '../log/sample-events.fixture.ts';
import type { EventFeed, FeedConsumer, FeedHandler } from './event-feed.ts';

/** A feed for one test, with a back-off short enough for tests. */
export interface EventFeedHarness {
  readonly feed: EventFeed;
  /** Publishes events to the feed in the given order. Resolves once the events are durable. */
  publish(events: readonly StoredEvent[]): Promise<void>;
  /** Closes the feed and opens a new one on the same data. */
  reopen(): Promise<EventFeed>;
  /** Closes the feed and deletes its data. */
  dispose(): Promise<void>;
}

const NONE: ReadonlySet<string> = new Set();
const PATIENCE = { timeout: 20_000, interval: 5 };

function run(stream: StreamName, from: number, to: number): StoredEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => sampleEvent(stream, from + index));
}

/** Records the events that a consumer receives from the test's own streams. */
function recorder(streams: readonly StreamName[], answer: FeedHandler = async () => NONE) {
  const seen: StoredEvent[] = [];
  const handler: FeedHandler = async (events) => {
    const own = events.filter(({ subject }) => streams.includes(subject));
    seen.push(...own);
    return own.length > 0 ? answer(own) : NONE;
  };
  const versionsOf = (stream: StreamName) =>
    seen.filter(({ subject }) => subject === stream).map((event) => event.streamversion);
  return { seen, handler, versionsOf };
}

const ids = (events: readonly StoredEvent[]) => events.map(({ id }) => id);

/** Contract tests that every EventFeed adapter must pass. */
export function eventFeedContract(adapter: string, start: () => Promise<EventFeedHarness>): void {
  describe(`EventFeed: ${adapter}`, () => {
    let harness: EventFeedHarness;
    let feed: EventFeed;
    beforeEach(async () => {
      harness = await start();
      feed = harness.feed;
    });
    afterEach(() => harness.dispose());

    const drained = async (one: FeedConsumer) => {
      await one.caughtUp();
      await expect.poll(() => one.lag(), PATIENCE).toBe(0);
      await expect.poll(() => one.waiting(), PATIENCE).toBe(0);
    };

    it('FEED2 a new consumer gets every event unchanged, whether the event was published before or after the consumer joined', async () => {
      const stream = freshStream();
      const events = run(stream, 1, 6);
      await harness.publish(events.slice(0, 3));
      const { handler, seen } = recorder([stream]);
      const one = await feed.consume(handler);
      await expect.poll(() => seen.length, PATIENCE).toBeGreaterThanOrEqual(3);
      await harness.publish(events.slice(3));
      await expect.poll(() => new Set(ids(seen)).size, PATIENCE).toBe(6);
      await drained(one);
      expect(seen.filter((event, index) => ids(seen).indexOf(event.id) === index)).toEqual(events);
    });

    it('FEED2 the events of each stream arrive in order, even if events of several streams are published together', async () => {
      const streams = Array.from({ length: 12 }, freshStream);
      const { handler, versionsOf } = recorder(streams);
      const one = await feed.consume(handler);
      for (let version = 1; version <= 40; version++) {
        await harness.publish(streams.map((stream) => sampleEvent(stream, version)));
      }
      await drained(one);
      for (const stream of streams) {
        expect(versionsOf(stream)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
      }
    });

    it('FEED2 caughtUp() waits for every event published before the call', async () => {
      const stream = freshStream();
      const { handler, versionsOf } = recorder([stream]);
      const one = await feed.consume(handler);
      for (let version = 1; version <= 20; version++) {
        await harness.publish([sampleEvent(stream, version)]);
        await one.caughtUp();
        expect(versionsOf(stream)).toContain(version);
      }
    });

    it('FEED2 lag() counts the events that have not been handled yet', async () => {
      const stream = freshStream();
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const { handler, seen } = recorder([stream], async () => {
        await held;
        return NONE;
      });
      const one = await feed.consume(handler);
      await drained(one);
      await harness.publish(run(stream, 1, 5));
      await expect.poll(() => seen.length, PATIENCE).toBeGreaterThan(0);
      expect(await one.lag()).toBe(5);
      release();
      await drained(one);
    });

    it('FEED2 after the feed reopens, a consumer gets only the events that had not been handled before', async () => {
      const stream = freshStream();
      const events = run(stream, 1, 8);
      await harness.publish(events.slice(0, 5));
      const before = recorder([stream]);
      await drained(await feed.consume(before.handler));
      feed = await harness.reopen();
      await harness.publish(events.slice(5));
      const after = recorder([stream]);
      await drained(await feed.consume(after.handler));
      expect(ids(after.seen)).toEqual(ids(events.slice(5)));
    });

    it('FEED2 a stopped consumer gets no more events, and the next consumer continues where the stopped one left off', async () => {
      const stream = freshStream();
      const first = recorder([stream]);
      const one = await feed.consume(first.handler);
      await harness.publish(run(stream, 1, 3));
      await drained(one);
      await one.stop();
      await harness.publish(run(stream, 4, 6));
      const second = recorder([stream]);
      await drained(await feed.consume(second.handler));
      expect(first.versionsOf(stream)).toEqual([1, 2, 3]);
      expect(second.versionsOf(stream)).toEqual([4, 5, 6]);
    });

    it('FEED2 a batch in flight when the consumer stops is handled before stop() resolves', async () => {
      const stream = freshStream();
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let handled = false;
      const { handler, seen } = recorder([stream], async () => {
        await held;
        handled = true;
        return NONE;
      });
      const one = await feed.consume(handler);
      await harness.publish([sampleEvent(stream, 1)]);
      await expect.poll(() => seen.length, PATIENCE).toBe(1);
      const stopping = one.stop().then(() => handled);
      release();
      expect(await stopping).toBe(true);
    });

    it('PRJ4 failed events are redelivered until they succeed, and other events are delivered in the meantime', async () => {
      const [poisoned, healthy] = [freshStream(), freshStream()];
      const poison = sampleEvent(poisoned, 2);
      let healed = false;
      const { handler, seen, versionsOf } = recorder([poisoned, healthy], async (events) =>
        healed ? NONE : new Set(ids(events).filter((id) => id === poison.id)),
      );
      const one = await feed.consume(handler);
      await harness.publish([sampleEvent(poisoned, 1), poison, ...run(healthy, 1, 3), sampleEvent(poisoned, 3)]);
      await one.caughtUp();
      await harness.publish(run(healthy, 4, 6));
      await one.caughtUp();
      expect(versionsOf(healthy)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(versionsOf(poisoned)).toContain(3);
      expect(await one.waiting()).toBe(1);
      // A redelivery can be a message of its own, and counts until it is handled.
      await expect.poll(() => one.lag(), PATIENCE).toBe(0);
      await expect.poll(() => ids(seen).filter((id) => id === poison.id).length, PATIENCE).toBeGreaterThan(2);
      healed = true;
      await drained(one);
      expect(ids(seen).filter((id) => id !== poison.id)).toHaveLength(8);
      expect(seen.filter(({ id }) => id === poison.id)).toContainEqual(poison);
    });

    it('PRJ4 several failed events of a stream are redelivered in order', async () => {
      const stream = freshStream();
      let rounds = 0;
      const { handler, versionsOf } = recorder([stream], async (events) => {
        rounds += 1;
        return rounds === 1 ? new Set(ids(events)) : NONE;
      });
      await harness.publish(run(stream, 1, 4));
      await drained(await feed.consume(handler));
      const versions = versionsOf(stream);
      expect(versions.slice(-new Set(versions).size)).toEqual([1, 2, 3, 4]);
    });

    it('PRJ4 failed events are still redelivered after the feed reopens', async () => {
      const stream = freshStream();
      const events = run(stream, 1, 3);
      await harness.publish(events);
      const failing = recorder(
        [stream],
        async (batch) => new Set(ids(batch.filter((event) => event.streamversion === 2))),
      );
      const one = await feed.consume(failing.handler);
      await one.caughtUp();
      expect(await one.waiting()).toBe(1);
      feed = await harness.reopen();
      const healed = recorder([stream]);
      const again = await feed.consume(healed.handler);
      await expect.poll(() => ids(healed.seen), PATIENCE).toContain(events[1]?.id);
      await drained(again);
      expect(healed.versionsOf(stream)).toEqual([2]);
    });

    it('PRJ4 a batch whose handler throws is redelivered before any later event of its stream', async () => {
      const stream = freshStream();
      let failures = 3;
      const done: number[] = [];
      const { handler } = recorder([stream], async (events) => {
        failures -= 1;
        if (failures >= 0) throw new Error('the store is down');
        done.push(...events.map((event) => event.streamversion));
        return NONE;
      });
      const one = await feed.consume(handler);
      await harness.publish(run(stream, 1, 3));
      await harness.publish(run(stream, 4, 5));
      await drained(one);
      expect(failures).toBeLessThan(0);
      expect(done).toEqual([1, 2, 3, 4, 5]);
    });

    it('FEED2 events that were still failing when the feed closed are redelivered after the feed reopens', async () => {
      const stream = freshStream();
      const events = run(stream, 1, 3);
      const broken = recorder([stream], async () => {
        throw new Error('broken off');
      });
      await feed.consume(broken.handler);
      await harness.publish(events);
      await expect.poll(() => broken.seen.length, PATIENCE).toBeGreaterThan(0);
      feed = await harness.reopen();
      const { handler, seen } = recorder([stream]);
      await drained(await feed.consume(handler));
      expect(seen).toEqual(events);
    });
  });
}
