import type { StoredEvent } from '../contracts/events.ts';

/**
 * Takes a batch of events, in order within each stream, and answers the ids of those that are not done: they are
 * delivered again later, with back-off, while the others go on (PRJ4). May see an event more than once (FEED2).
 */
export type FeedHandler = (events: readonly StoredEvent[]) => Promise<ReadonlySet<string>>;

export interface FeedConsumer {
  /** Resolves once all that was in the feed when called has been handled once. */
  caughtUp(): Promise<void>;
  /** Events not yet handled once. */
  lag(): Promise<number>;
  /** Events that were handled without success and wait for their next try. */
  waiting(): Promise<number>;
  /** Ends after the batch in hand; what was handled is remembered. */
  stop(): Promise<void>;
}

/** Carries appended events, at least once, in order per stream, to named consumers that remember how far they came. */
export interface EventFeed {
  consume(consumer: string, handler: FeedHandler): Promise<FeedConsumer>;
  close(): Promise<void>;
}
