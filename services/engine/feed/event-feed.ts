import type { StoredEvent } from '../../contracts/events.ts';

/**
 * Handles a batch, in order within each stream, and returns the ids of the events that failed: they are delivered again with
 * back-off, while the others go on (PRJ4). May get an event twice (FEED2); calls for different streams may overlap.
 */
export type FeedHandler = (events: readonly StoredEvent[]) => Promise<ReadonlySet<string>>;

export interface FeedConsumer {
  /** Resolves once all that was in the feed at the time of the call has been handled once. */
  caughtUp(): Promise<void>;
  /** Events not yet handled once. */
  lag(): Promise<number>;
  /** Events that failed in this process and wait for their next try. */
  waiting(): Promise<number>;
  /** Stops after the batch in flight; what was handled is remembered. */
  stop(): Promise<void>;
}

/**
 * Delivers appended events at least once, in order per stream, and remembers how far it got (FEED2). Where several processes
 * consume, each stream is with one of them at a time.
 */
export interface EventFeed {
  /** @throws Error where this feed has a consumer already */
  consume(handler: FeedHandler): Promise<FeedConsumer>;
  close(): Promise<void>;
}
