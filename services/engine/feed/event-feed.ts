import type { StoredEvent } from '../../contracts/events.ts';

/** Returns the ids of events that failed, which are redelivered with back-off (PRJ4). May get an event twice (FEED2). */
export type FeedHandler = (events: readonly StoredEvent[]) => Promise<ReadonlySet<string>>;

export interface FeedConsumer {
  /** Resolves once everything that was in the feed at the call has been handled once. */
  caughtUp(): Promise<void>;
  lag(): Promise<number>;
  /** Returns how many events have failed in this process and are waiting for a retry. */
  waiting(): Promise<number>;
  stop(): Promise<void>;
}

/** Delivers events at least once, in order per stream (FEED2). Only one process at a time consumes a stream. */
export interface EventFeed {
  /** @throws Error if this feed already has a consumer */
  consume(handler: FeedHandler): Promise<FeedConsumer>;
  close(): Promise<void>;
}
