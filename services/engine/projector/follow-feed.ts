import type { Clock } from '../../runtime/clock.ts';
import type { EventFeed, FeedConsumer } from '../feed/event-feed.ts';
import type { Projector } from './project.ts';

export interface Projecting {
  readonly projector: Projector;
  readonly consumer: FeedConsumer;
  /** when events were last handled, in ms since the epoch, or 0 if none have been handled yet */
  readonly handledAt: () => number;
}

export async function followFeed(feed: EventFeed, projector: Projector, clock: Clock): Promise<Projecting> {
  let handledAt = 0;
  const consumer = await feed.consume(async (events) => {
    const notDone = await projector.project(events);
    handledAt = clock();
    return notDone;
  });
  return { projector, consumer, handledAt: () => handledAt };
}
