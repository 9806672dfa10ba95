import type { FeedStore } from '../../embedded/log-feed.ts';
import type { ShopDisk } from './shop-tables.ts';

/** Stores the progress of the embedded feed's only consumer. */
export function createMemoryFeedStore(disk: ShopDisk): FeedStore {
  const { feed } = disk.content;
  const deliveryAt = (position: number, attempts: number) => {
    const event = disk.content.events[position - 1];
    return event ? [{ position, attempts, event }] : [];
  };
  let { checkpoint } = feed;
  return {
    tail: (limit) =>
      disk.content.events
        .slice(checkpoint, checkpoint + limit)
        .flatMap((_, index) => deliveryAt(checkpoint + index + 1, 0)),
    due: (now, limit) =>
      [...disk.content.feed.waiting]
        .filter(([, { dueAt }]) => dueAt <= now)
        .sort(([one], [other]) => one - other)
        .slice(0, limit)
        .flatMap(([position, { attempts }]) => deliveryAt(position, attempts)),
    nextDueAt() {
      const times = [...disk.content.feed.waiting.values()].map(({ dueAt }) => dueAt);
      return times.length === 0 ? null : Math.min(...times);
    },
    async record(batch, failed, retryAt) {
      const reached = Math.max(checkpoint, batch.at(-1)?.position ?? 0);
      const outcomes = batch.map(({ position, attempts, event }) => ({
        position,
        retry: failed.has(event.id) ? { attempts: attempts + 1, dueAt: retryAt(attempts + 1) } : null,
      }));
      disk.write((tables) => {
        tables.feed.checkpoint = reached;
        for (const { position, retry } of outcomes) {
          if (retry) tables.feed.waiting.set(position, retry);
          else tables.feed.waiting.delete(position);
        }
      }, 'later');
      checkpoint = reached;
    },
    checkpoint: () => checkpoint,
    end: () => disk.content.events.length,
    waiting: () => disk.content.feed.waiting.size,
  };
}
