import type { StoredEvent } from '../../contracts/events.ts';

/** Returns the ids of events that failed: they come again, with back-off (PRJ4). May get an event twice (FEED2). */
export type FeedHandler = (events: readonly StoredEvent[]) => Promise<ReadonlySet<string>>;

export interface FeedConsumer {
  /** Resolves once all that was in the feed at the call has been handled once. */
  caughtUp(): Promise<void>;
  lag(): Promise<number>;
  /** Events that failed in this process and wait for their next try. */
  waiting(): Promise<number>;
  stop(): Promise<void>;
}

/** At least once, in order per stream (FEED2). Of several processes, one at a time has a stream. */
export interface EventFeed {
  /** @throws Error where this feed has a consumer already */
  consume(handler: FeedHandler): Promise<FeedConsumer>;
  close(): Promise<void>;
}
