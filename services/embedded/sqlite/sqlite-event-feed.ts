import type { Database } from '../../runtime/sqlite.ts';
import { createLogFeed, type LogFeed, type LogFeedOptions } from '../log-feed.ts';
import { createFeedStore, FEED_TABLES } from './sqlite-feed-store.ts';
import type { ShopWriter } from './sqlite-writes.ts';

export interface SqliteEventFeedOptions extends LogFeedOptions {
  readonly database: Database;
  readonly writer?: Pick<ShopWriter, 'recordProgress'>;
}

/** Creates a feed that reads a database's event log. close() leaves the database open. */
export function createSqliteEventFeed({ database, writer, ...options }: SqliteEventFeedOptions): LogFeed {
  database.exec(FEED_TABLES);
  return createLogFeed({ ...options, openStore: () => createFeedStore(database, options.consumer, writer) });
}
