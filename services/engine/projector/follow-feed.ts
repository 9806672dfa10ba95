import type { Clock } from '../../runtime/clock.ts';
import type { EventFeed, FeedConsumer } from '../feed/event-feed.ts';
import type { Projector } from './project.ts';

export interface Projecting {
  readonly projector: Projector;
  readonly consumer: FeedConsumer;
  /** when events were last handled, ms since the epoch; 0 where none were yet */
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
