import { expect, it } from 'vitest';
import { commitName } from '../../contracts/ids.ts';
import { eventFeedContract } from '../../engine/feed/event-feed.contract.ts';
import { freshStream, sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import { openLogAndFeed } from './kafka-feed.fixture.ts';
import { createPublisher } from './publisher.ts';

it('PRJ1 an event that is in Kafka but not in the log is skipped and reported', async () => {
  const shop = await openLogAndFeed();
  try {
    const publisher = createPublisher(shop);
    const stream = freshStream();
    const [first, lost, instead] = [sampleEvent(stream, 1), sampleEvent(stream, 2), sampleEvent(stream, 2)];
    await publisher.publish(await shop.append([first]));
    // Simulates a log that was restored from an older backup. This commit was published but is no longer in the log,
    // and the next commit takes its version.
    await publisher.publish({ name: commitName(stream, 2), events: [lost] });
    await publisher.publish(await shop.append([instead]));
    const seen: string[] = [];
    const consumer = await shop.openFeed().consume(async (events) => {
      seen.push(...events.map(({ id }) => id));
      return new Set();
    });
    await consumer.caughtUp();
    expect(seen).toEqual([first.id, instead.id]);
    expect(shop.errors).toMatchObject([{ name: 'NotInLog' }]);
    expect(await shop.outbox.list(10)).toEqual([]);
  } finally {
    await shop.dispose();
  }
});

eventFeedContract('Kafka', async () => {
  const shop = await openLogAndFeed();
  const publisher = createPublisher(shop);
  // These times are shorter than in production, but longer than a commit takes to reach the broker on a busy machine.
  shop.republish(publisher, { interval: 20, openFor: 500, longest: 500 });
  let feed = shop.openFeed();
  return {
    feed,
    async publish(events) {
      const publishing: Promise<void>[] = [];
      for (const event of events) publishing.push(publisher.publish(await shop.append([event])));
      await Promise.all(publishing);
    },
    async reopen() {
      await feed.close();
      feed = shop.openFeed();
      return feed;
    },
    dispose: shop.dispose,
  };
});
