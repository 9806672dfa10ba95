import type { StoredEvent } from '../../contracts/events.ts';

/**
 * Handles a batch of events. Returns the ids of the events that have failed or are still being processed. The feed
 * redelivers those events with back-off (PRJ4). Any event may be delivered more than once (FEED2).
 */
export type FeedHandler = (events: readonly StoredEvent[]) => Promise<ReadonlySet<string>>;

export interface FeedConsumer {
  /** Resolves once every event that was in the feed at the time of the call has been handled, successfully or not. */
  caughtUp(): Promise<void>;
  lag(): Promise<number>;
  /** Returns the number of failed events that are waiting for a retry. */
  waiting(): Promise<number>;
  stop(): Promise<void>;
}

/** Delivers each event at least once, and each stream's events in order (FEED2). Only one process at a time consumes a stream. */
export interface EventFeed {
  /** @throws Error if this feed already has a consumer */
  consume(handler: FeedHandler): Promise<FeedConsumer>;
  close(): Promise<void>;
}
