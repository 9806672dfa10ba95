import { beforeEach, describe, expect, it } from 'vitest';
import { failing, type HeldFeed, NONE, openHeldFeed, topics } from './held-feed.fixture.ts';

describe('failed events in the Kafka event feed', () => {
  let feed: HeldFeed['feed'];
  let kafka: HeldFeed['kafka'];
  let done: HeldFeed['done'];
  let errors: HeldFeed['errors'];
  let held: HeldFeed['held'];
  let closed: HeldFeed['closed'];
  let asked: HeldFeed['asked'];
  let messagesOf: HeldFeed['messagesOf'];
  let deliver: HeldFeed['deliver'];
  let gathered: HeldFeed['gathered'];
  let assign: HeldFeed['assign'];
  beforeEach(() => {
    ({ feed, kafka, done, errors, held, closed, asked, messagesOf, deliver, gathered, assign } = openHeldFeed());
  });

  it('PRJ4 a commit stays open if one of its events fails, and the feed continues with the next commit', async () => {
    const consumer = await feed.consume(failing(2));
    expect(await deliver(messagesOf(1, 2, 1))).toBe(null);
    await gathered();
    expect(done).toEqual(['advance 3', 'close 1,4', 'commit 3']);
    expect(await consumer.waiting()).toBe(1);
  });

  it('PRJ4 failed events are counted until they succeed', async () => {
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

  it("PRJ4 an event that failed on redelivery is no longer counted as failed once its commit is closed, because it won't be delivered again", async () => {
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

  it('PRJ4 a consumer that rejoins its group does not count failed events that another consumer has handled in the meantime', async () => {
    const consumer = await feed.consume(failing(1));
    await deliver(messagesOf(1));
    expect(await consumer.waiting()).toBe(1);
    // The consumer is assigned the same partition as before.
    assign([{ topic: topics.order, partition: 0 }]);
    for (const name of held.keys()) closed.add(name);
    expect(await consumer.waiting()).toBe(0);
    // The previous waiting() call removed the closed commit's events, so this call doesn't read the log.
    expect(await consumer.waiting()).toBe(0);
    expect(asked).toHaveLength(2);
  });

  it('PRJ4 a consumer does not count failed events in partitions that have been reassigned to another consumer', async () => {
    const consumer = await feed.consume(failing(1));
    await deliver(messagesOf(1), 0);
    await deliver(messagesOf(1), 1);
    assign([{ topic: topics.order, partition: 1 }]);
    expect(await consumer.waiting()).toBe(1);
    assign([]);
    expect(await consumer.waiting()).toBe(0);
  });

  it('PRJ4 a consumer does not count events that fail while their partition is being reassigned to another consumer', async () => {
    const consumer = await feed.consume(async (events) => {
      kafka.current = false;
      assign([]);
      return failing(1)(events);
    });
    await deliver(messagesOf(1));
    expect(await consumer.waiting()).toBe(0);
  });

  it('PRJ4 an event that succeeds during a rebalance is no longer counted as failed if the consumer keeps its partition', async () => {
    let rebalances = false;
    const consumer = await feed.consume(async (events) => {
      if (!rebalances) return failing(1)(events);
      kafka.current = false;
      assign([{ topic: topics.order, partition: 0 }]);
      return failing()(events);
    });
    const messages = messagesOf(1);
    await deliver(messages);
    expect(await consumer.waiting()).toBe(1);
    rebalances = true;
    await deliver(messages);
    expect(await consumer.waiting()).toBe(0);
  });

  it('PRJ4 a partition is paused for twice as long each time the handler throws, and no progress on its batch is recorded', async () => {
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

  it('PRJ4 if a portion of a batch fails, the portions before it are still recorded as done', async () => {
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
});
