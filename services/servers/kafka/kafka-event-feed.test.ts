import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../contracts/events.ts';
import { sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import { type HeldFeed, NONE, openHeldFeed, topics } from './held-feed.fixture.ts';

describe('event feed on Kafka', () => {
  let feed: HeldFeed['feed'];
  let time: HeldFeed['time'];
  let stream: HeldFeed['stream'];
  let kafka: HeldFeed['kafka'];
  let done: HeldFeed['done'];
  let errors: HeldFeed['errors'];
  let held: HeldFeed['held'];
  let messagesOf: HeldFeed['messagesOf'];
  let deliver: HeldFeed['deliver'];
  let gathered: HeldFeed['gathered'];
  beforeEach(() => {
    ({ feed, time, stream, kafka, done, errors, held, messagesOf, deliver, gathered } = openHeldFeed());
  });

  it('FEED2 the feed first closes the finished commits in the outbox, and only then commits the Kafka offset', async () => {
    await feed.consume(async () => NONE);
    expect(await deliver(messagesOf(2, 1))).toBe(null);
    await gathered();
    expect(done).toEqual(['advance 2', 'close 1,3', 'commit 2']);
  });

  it('FEED2 the feed handles batch after batch, and records the progress of all partitions together after 200 ms', async () => {
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

  it('PRJ1 the feed delivers the event stored in the log, whatever the Kafka message contains', async () => {
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

  it('PRJ1 an event that is not in the log is skipped and reported, and its commit stays open', async () => {
    const messages = messagesOf(1, 1, 1);
    const names = [...held.keys()];
    // Simulates a log that was restored to an earlier point. Its second event differs from the published one, and its
    // third event is missing.
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

  it('FEED2 a stopping consumer records its finished work, then its work in flight, and only then leaves the group', async () => {
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
    kafka.inHand = deliver([second], 1);
    const stopped = consumer.stop();
    await time.settle();
    expect(done).toEqual(['advance 0', 'close 1', 'commit 0']);
    release();
    await stopped;
    expect(done.slice(3)).toEqual(['advance 1', 'close 2', 'commit 1', 'stop']);
  });

  it('FEED2 a consumer that has stopped records no more progress, not even progress that it failed to record before', async () => {
    const consumer = await feed.consume(async () => NONE);
    await deliver(messagesOf(1));
    kafka.away = true;
    await consumer.stop();
    expect(errors).toContain('the store is away');
    kafka.away = false;
    await time.pass(60_000);
    expect(done).toEqual(['advance 0', 'stop']);
    expect(time.delays()).toEqual([]);
  });

  it('FEED2 if the group rebalances while a portion of a batch is being handled, the rest of the batch is skipped', async () => {
    let handled = 0;
    await feed.consume(async (events) => {
      handled += events.length;
      kafka.current = false;
      return NONE;
    });
    expect(await deliver(messagesOf(256, 256))).toBe(null);
    expect(handled).toBe(256);
    await gathered();
    expect(done).toEqual(['advance 255', 'close 1', 'commit 255']);
  });

  it('FEED2 a message that is not an event is reported once, and the feed continues after it', async () => {
    await feed.consume(async () => NONE);
    const strange = { offset: 1, key: null, value: null, headers: {} };
    expect(await deliver([...messagesOf(1), strange])).toBe(null);
    await gathered();
    expect(done).toEqual(['advance 1', 'close 1', 'commit 1']);
    expect(errors).toEqual([expect.stringContaining('Message 1 of partition 0 of shop.order is passed over')]);
  });

  it('FEED2 caughtUp() rejects if the consumer has stopped, or stops while catching up', async () => {
    kafka.positions = async () => [{ topic: topics.order, partition: 0, next: 1, end: 2 }];
    const consumer = await feed.consume(async () => NONE);
    const told = expect(consumer.caughtUp()).rejects.toThrow('projector has stopped.');
    await time.settle();
    await consumer.stop();
    await told;
    await expect(consumer.caughtUp()).rejects.toThrow('projector has stopped.');
  });

  it('FEED2 lag() counts the uncommitted messages of all partitions', async () => {
    kafka.positions = async () => [
      { topic: topics.order, partition: 0, next: 1, end: 4 },
      { topic: topics.user, partition: 0, next: 7, end: 8 },
      // This topic has been recreated, but the group's offset still refers to the old topic.
      { topic: topics.user, partition: 1, next: 9, end: 0 },
    ];
    const consumer = await feed.consume(async () => NONE);
    expect(await consumer.lag()).toBe(4);
  });

  it('FEED2 the feed rejects a second consumer until the first has stopped', async () => {
    const consumer = await feed.consume(async () => NONE);
    await expect(feed.consume(async () => NONE)).rejects.toThrow('projector consumes this feed already.');
    await consumer.stop();
    await feed.consume(async () => NONE);
    await feed.close();
    expect(done).toEqual(['stop', 'stop']);
  });

  it('FEED2 the feed can be closed before its consumer has joined the group', async () => {
    let refuse = (_: Error) => {};
    kafka.joined = new Promise((_, reject) => {
      refuse = reject;
    });
    const consuming = feed.consume(async () => NONE);
    await feed.close();
    refuse(new Error('left'));
    await expect(consuming).rejects.toThrow('left');
    expect(done).toEqual(['stop']);
  });
});
