import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../contracts/events.ts';
import { commitName, type StreamName } from '../../contracts/ids.ts';
import type { EventFeed, FeedHandler } from '../../engine/feed/event-feed.ts';
import { freshStream, sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import { type HeldTime, holdTime } from '../../runtime/held-time.fixture.ts';
import { exponentialBackOff, PATIENT } from '../../runtime/schedule.ts';
import type { ConsumeOptions, IncomingMessage, PartitionPosition } from './kafka-cluster.ts';
import { createKafkaEventFeed } from './kafka-event-feed.ts';
import { toMessages } from './kafka-messages.ts';
import { topicsOf } from './topics.ts';
import { asRead } from './written-messages.fixture.ts';

const topics = topicsOf('shop');
const NONE: ReadonlySet<string> = new Set();

describe('event feed on Kafka', () => {
  let time: HeldTime;
  let group: ConsumeOptions;
  let joined: Promise<void>;
  /** what leaving the group waits for */
  let inHand: Promise<unknown>;
  let positions: () => Promise<PartitionPosition[]>;
  /** what was done, in order: `advance <offset>`, `close <names>`, `commit <offset>` */
  let done: string[];
  let errors: string[];
  let current: boolean;
  /** the log, by names of commits */
  let held: Map<string, readonly StoredEvent[]>;
  let closed: Set<string>;
  /** what the log was asked about, each time that it was asked what is still open */
  let asked: (readonly string[])[];
  let away: boolean;
  let stream: StreamName;
  let feed: EventFeed;

  beforeEach(() => {
    time = holdTime();
    joined = Promise.resolve();
    inHand = Promise.resolve();
    positions = async () => [];
    done = [];
    errors = [];
    current = true;
    held = new Map();
    closed = new Set();
    asked = [];
    away = false;
    stream = freshStream();
    feed = createKafkaEventFeed({
      backOff: exponentialBackOff(PATIENT, 0),
      cluster: {
        consume(options) {
          group = options;
          return {
            joined,
            async stop() {
              await inHand;
              done.push('stop');
            },
          };
        },
        positions: () => positions(),
      },
      group: 'projector',
      topics,
      outbox: {
        find: async (names) => names.flatMap((name) => ({ name, events: held.get(name) ?? [] })),
        async close(names) {
          if (away) throw new Error('the store is away');
          done.push(`close ${names.map((name) => Number(name.slice(-12)))}`);
          for (const name of names) closed.add(name);
        },
        async read(names) {
          asked.push(names);
          return names.flatMap((name) => (closed.has(name) ? [] : { name, events: held.get(name) ?? [] }));
        },
      },
      onError: (error) => errors.push((error as Error).message),
      schedule: time.schedule,
    });
  });

  /** Messages of commits of these sizes, which begin at version 1 and offset 0. */
  function messagesOf(...sizes: number[]): IncomingMessage[] {
    let version = 1;
    return asRead(
      sizes.flatMap((size) => {
        const events = Array.from({ length: size }, (_, index) => sampleEvent(stream, version + index));
        version += size;
        const name = commitName(stream, version - size);
        held.set(name, events);
        return toMessages({ name, events });
      }),
    );
  }

  /** Hands a batch to the feed; answers the pause that it asks for. */
  function deliver(messages: readonly IncomingMessage[], partition = 0): Promise<number | null> {
    return group.onBatch({
      topic: topics.order,
      partition,
      messages,
      isCurrent: () => current,
      advance: (offset) => void done.push(`advance ${offset}`),
      commit: async (offset) => void done.push(`commit ${offset}`),
    });
  }

  /** Lets the time pass after which what is done is written down. */
  const gathered = () => time.pass(200);

  const failing =
    (...versions: number[]): FeedHandler =>
    async (events) =>
      new Set(events.filter(({ streamversion }) => versions.includes(streamversion)).map(({ id }) => id));

  it('FEED2 closes the commits that are done, and remembers the offset only after that', async () => {
    await feed.consume(async () => NONE);
    expect(await deliver(messagesOf(2, 1))).toBe(null);
    await gathered();
    expect(done).toEqual(['advance 2', 'close 1,3', 'commit 2']);
  });

  it('FEED2 goes on meanwhile, and writes down once what all partitions have done', async () => {
    await feed.consume(async () => NONE);
    const [first, second, third] = messagesOf(1, 1, 1);
    if (!first || !second || !third) throw new Error('three messages');
    await deliver([first]);
    await deliver([second]);
    await deliver([third], 1);
    await time.pass(199);
    expect(done).toEqual(['advance 0', 'advance 1', 'advance 2']);
    await time.pass(1);
    expect(done.slice(3)).toEqual(['close 1,2,3', 'commit 1', 'commit 2']);
    await time.pass(10_000);
    expect(done).toHaveLength(6);
  });

  it('E9 PRJ1 hands over what the log holds, whatever the message says', async () => {
    const messages = messagesOf(1);
    const [name = ''] = held.keys();
    const asAppended = { ...(held.get(name)?.[0] as StoredEvent), data: { intent: 'pi_true', attempt: 1, amount: 7 } };
    held.set(name, [asAppended]);
    const seen: StoredEvent[] = [];
    await feed.consume(async (events) => {
      seen.push(...events);
      return NONE;
    });
    expect(await deliver(messages)).toBe(null);
    expect(seen).toEqual([asAppended]);
  });

  it('E9 PRJ1 passes over an event that the log does not hold, says so, and closes nothing for it', async () => {
    const messages = messagesOf(1, 1, 1);
    const names = [...held.keys()];
    // Restored to an earlier moment, the log has another event where the second stood, and none where the third was.
    held.set(names[1] ?? '', [sampleEvent(stream, 2)]);
    held.delete(names[2] ?? '');
    const versions: number[] = [];
    await feed.consume(async (events) => {
      versions.push(...events.map(({ streamversion }) => streamversion));
      return NONE;
    });
    expect(await deliver(messages)).toBe(null);
    await gathered();
    expect(versions).toEqual([1]);
    expect(done).toEqual(['advance 2', 'close 1', 'commit 2']);
    expect(errors).toEqual([2, 3].map((version) => expect.stringContaining(`${stream} at version ${version}`)));
  });

  it('PRJ4 leaves a commit open of which an event is not done, and goes on behind it', async () => {
    const consumer = await feed.consume(failing(2));
    expect(await deliver(messagesOf(1, 2, 1))).toBe(null);
    await gathered();
    expect(done).toEqual(['advance 3', 'close 1,4', 'commit 3']);
    expect(await consumer.waiting()).toBe(1);
  });

  it('PRJ4 counts what waits until it is done', async () => {
    let handler = failing(1, 2);
    const consumer = await feed.consume((events) => handler(events));
    const messages = messagesOf(1, 1, 1);
    await deliver(messages);
    expect(await consumer.waiting()).toBe(2);
    handler = failing(2);
    await deliver(messages);
    expect(await consumer.waiting()).toBe(1);
    handler = failing();
    await deliver(messages);
    expect(await consumer.waiting()).toBe(0);
  });

  it('PRJ4 does not count what fails when it comes a second time: its commit is closed, and nobody brings it again', async () => {
    let handler = failing();
    const consumer = await feed.consume((events) => handler(events));
    const messages = messagesOf(2, 1);
    await deliver(messages);
    handler = failing(1, 3);
    await deliver(messages);
    expect(await consumer.waiting()).toBe(2);
    await gathered();
    expect(await consumer.waiting()).toBe(0);
  });

  it('PRJ4 does not count what another consumer did while this one was out of the group', async () => {
    const consumer = await feed.consume(failing(1));
    await deliver(messagesOf(1));
    expect(await consumer.waiting()).toBe(1);
    // It comes back to the partition that it had before.
    group.onAssigned([{ topic: topics.order, partition: 0 }]);
    closed = new Set(held.keys());
    expect(await consumer.waiting()).toBe(0);
    // What is closed was done, and is not asked about again.
    expect(await consumer.waiting()).toBe(0);
    expect(asked).toHaveLength(2);
  });

  it('PRJ4 does not count what waits in partitions that went to another consumer', async () => {
    const consumer = await feed.consume(failing(1));
    await deliver(messagesOf(1), 0);
    await deliver(messagesOf(1), 1);
    group.onAssigned([{ topic: topics.order, partition: 1 }]);
    expect(await consumer.waiting()).toBe(1);
    group.onAssigned([]);
    expect(await consumer.waiting()).toBe(0);
  });

  it('PRJ4 does not count what failed in a partition that went to another consumer meanwhile', async () => {
    const consumer = await feed.consume(async (events) => {
      current = false;
      group.onAssigned([]);
      return failing(1)(events);
    });
    await deliver(messagesOf(1));
    expect(await consumer.waiting()).toBe(0);
  });

  it('PRJ4 counts no longer what was done while the group rebalanced, in a partition that stays', async () => {
    let rebalances = false;
    const consumer = await feed.consume(async (events) => {
      if (!rebalances) return failing(1)(events);
      current = false;
      group.onAssigned([{ topic: topics.order, partition: 0 }]);
      return failing()(events);
    });
    const messages = messagesOf(1);
    await deliver(messages);
    expect(await consumer.waiting()).toBe(1);
    rebalances = true;
    await deliver(messages);
    expect(await consumer.waiting()).toBe(0);
  });

  it('PRJ4 asks for growing pauses of a partition whose handler throws, and remembers nothing of its batch', async () => {
    let down = true;
    await feed.consume(async () => {
      if (down) throw new Error('the store is down');
      return NONE;
    });
    const messages = messagesOf(1);
    expect([await deliver(messages), await deliver(messages), await deliver(messages)]).toEqual([200, 400, 800]);
    expect(await deliver(messages, 1)).toBe(200);
    await gathered();
    expect(done).toEqual([]);
    down = false;
    expect(await deliver(messages)).toBe(null);
    down = true;
    expect(await deliver(messages)).toBe(200);
    expect(errors).toEqual(Array(5).fill('the store is down'));
  });

  it('FEED2 writes down what it has done before it leaves the group, and what is still in flight', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const consumer = await feed.consume(async ([event]) => {
      if (event?.streamversion === 2) await held;
      return NONE;
    });
    const [first, second] = messagesOf(1, 1);
    if (!first || !second) throw new Error('two messages');
    await deliver([first]);
    inHand = deliver([second], 1);
    const stopped = consumer.stop();
    await time.settle();
    expect(done).toEqual(['advance 0', 'close 1', 'commit 0']);
    release();
    await stopped;
    expect(done.slice(3)).toEqual(['advance 1', 'close 2', 'commit 1', 'stop']);
  });

  it('FEED2 writes nothing down once it has stopped, even what it could not write before', async () => {
    const consumer = await feed.consume(async () => NONE);
    await deliver(messagesOf(1));
    away = true;
    await consumer.stop();
    expect(errors).toContain('the store is away');
    away = false;
    await time.pass(60_000);
    expect(done).toEqual(['advance 0', 'stop']);
    expect(time.delays()).toEqual([]);
  });

  it('PRJ4 what came before a portion that failed is remembered', async () => {
    let calls = 0;
    await feed.consume(async () => {
      calls += 1;
      if (calls === 2) throw new Error('down');
      return NONE;
    });
    expect(await deliver(messagesOf(256, 256))).toBe(200);
    await gathered();
    expect(done).toEqual(['advance 255', 'close 1', 'commit 255']);
  });

  it('FEED2 begins no further portion once its batch is no longer current', async () => {
    let handled = 0;
    await feed.consume(async (events) => {
      handled += events.length;
      current = false;
      return NONE;
    });
    expect(await deliver(messagesOf(256, 256))).toBe(null);
    expect(handled).toBe(256);
    await gathered();
    expect(done).toEqual(['advance 255', 'close 1', 'commit 255']);
  });

  it('FEED2 tells once of a message that is no event, and goes on behind it', async () => {
    await feed.consume(async () => NONE);
    const strange = { offset: 1, key: null, value: null, headers: {} };
    expect(await deliver([...messagesOf(1), strange])).toBe(null);
    await gathered();
    expect(done).toEqual(['advance 1', 'close 1', 'commit 1']);
    expect(errors).toEqual([expect.stringContaining('Message 1 of partition 0 of shop.order is passed over')]);
  });

  it('FEED2 whoever waits for a consumer that stops is told so', async () => {
    positions = async () => [{ topic: topics.order, partition: 0, next: 1, end: 2 }];
    const consumer = await feed.consume(async () => NONE);
    const told = expect(consumer.caughtUp()).rejects.toThrow('projector has stopped.');
    await time.settle();
    await consumer.stop();
    await told;
    await expect(consumer.caughtUp()).rejects.toThrow('projector has stopped.');
  });

  it('FEED2 lag counts what is not committed, in all partitions', async () => {
    positions = async () => [
      { topic: topics.order, partition: 0, next: 1, end: 4 },
      { topic: topics.user, partition: 0, next: 7, end: 8 },
      // A topic that was made anew, with offsets of the old one.
      { topic: topics.user, partition: 1, next: 9, end: 0 },
    ];
    const consumer = await feed.consume(async () => NONE);
    expect(await consumer.lag()).toBe(4);
  });

  it('FEED2 a second consumer is refused until the first has stopped', async () => {
    const consumer = await feed.consume(async () => NONE);
    await expect(feed.consume(async () => NONE)).rejects.toThrow('projector consumes this feed already.');
    await consumer.stop();
    await feed.consume(async () => NONE);
    await feed.close();
    expect(done).toEqual(['stop', 'stop']);
  });

  it('FEED2 can be closed before it has joined its group', async () => {
    let refuse = (_: Error) => {};
    joined = new Promise((_, reject) => {
      refuse = reject;
    });
    const consuming = feed.consume(async () => NONE);
    await feed.close();
    refuse(new Error('left'));
    await expect(consuming).rejects.toThrow('left');
    expect(done).toEqual(['stop']);
  });
});
