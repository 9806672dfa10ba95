import type { StoredEvent } from '../../contracts/events.ts';

/**
 * Takes a batch of events, in order within each stream, and returns the ids of those that are not done: they are
 * delivered again later, with back-off, while the others go on (PRJ4). May see an event more than once (FEED2), and may
 * be called while it is at work on other streams.
 */
export type FeedHandler = (events: readonly StoredEvent[]) => Promise<ReadonlySet<string>>;

export interface FeedConsumer {
  /** Resolves once all that was in the feed when called has been handled once. */
  caughtUp(): Promise<void>;
  /** Events not yet handled once. */
  lag(): Promise<number>;
  /** Events that this process has handled without success and that wait for their next try. */
  waiting(): Promise<number>;
  /** Ends after the batch in flight; what was handled is remembered. */
  stop(): Promise<void>;
}

/**
 * Carries appended events, at least once, in order per stream, to the one consumer that closes what it has done (FEED2).
 * How far it came is remembered. Where several processes consume, each stream is with one of them at a time.
 */
export interface EventFeed {
  /** @throws Error where this feed is consumed already */
  consume(handler: FeedHandler): Promise<FeedConsumer>;
  close(): Promise<void>;
}
