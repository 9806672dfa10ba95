import type { EventFeed, FeedConsumer, FeedHandler } from './event-feed.ts';

/** A consumer that has been started. consume() waits for `joined`, which resolves once the consumer can receive events. */
export type Following = FeedConsumer & { readonly joined?: Promise<void> };

/** Returns a feed that rejects a second consumer until the first has stopped. close() stops the current consumer. */
export function feedOfOneConsumer(consumer: string, follow: (handler: FeedHandler) => Following): EventFeed {
  let current: FeedConsumer | null = null;
  return {
    async consume(handler) {
      if (current) throw new Error(`${consumer} consumes this feed already.`);
      const { joined, ...following } = follow(handler);
      const started: FeedConsumer = {
        ...following,
        async stop() {
          await following.stop();
          if (current === started) current = null;
        },
      };
      current = started;
      await joined;
      return started;
    },
    async close() {
      await current?.stop();
    },
  };
}
