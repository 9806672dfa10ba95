import type { EventLog } from '../../engine/log/event-log.ts';
import type { LogFeed } from '../log-feed.ts';

/** Returns the log with an append() that wakes the feed, as a shop's commands do. */
export function wakingLog(log: EventLog, feed: Pick<LogFeed, 'wake'>): EventLog {
  return {
    ...log,
    async append(commit) {
      const result = await log.append(commit);
      feed.wake();
      return result;
    },
  };
}
