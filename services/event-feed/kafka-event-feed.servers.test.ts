import { eventFeedContract } from './event-feed.contract.ts';
import { openLogAndFeed } from './kafka-feed.fixture.ts';
import { createPublisher } from './publisher.ts';

eventFeedContract('Kafka', async () => {
  const shop = await openLogAndFeed();
  const publisher = createPublisher(shop);
  // Shorter than in production, and longer than it takes from an append to the broker on a busy machine.
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
