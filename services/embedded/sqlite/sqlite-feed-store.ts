import type { StoredEvent } from '../../contracts/events.ts';
import type { Database } from '../../runtime/sqlite.ts';
import type { Delivery, FeedStore } from '../log-feed.ts';
import { type ShopWriter, writeHere } from './sqlite-writes.ts';

interface Row {
  readonly position: number;
  readonly attempts: number;
  readonly body: string;
}

/** The SQL that creates the feed's tables. It must run before a feed store is created. */
export const FEED_TABLES = `
  CREATE TABLE IF NOT EXISTS feed_checkpoints (consumer TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS feed_waiting (
    consumer TEXT NOT NULL,
    position INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    PRIMARY KEY (consumer, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS feed_waiting_by_due ON feed_waiting (consumer, due_at);`;

/** Creates the feed store of one consumer. The store reads the event log's table, which must be in the same database. */
export function createFeedStore(
  database: Database,
  consumer: string,
  writer: Pick<ShopWriter, 'recordProgress'> = writeHere(database),
): FeedStore {
  const tail = database.prepare<[number, number], Row>(
    'SELECT position, 0 AS attempts, body FROM events WHERE position > ? ORDER BY position LIMIT ?',
  );
  const due = database.prepare<[string, number, number], Row>(
    `SELECT position, attempts, body FROM feed_waiting JOIN events USING (position)
     WHERE consumer = ? AND due_at <= ? ORDER BY position LIMIT ?`,
  );
  const nextDue = database.prepare<[string], { dueAt: number | null }>(
    'SELECT min(due_at) AS dueAt FROM feed_waiting WHERE consumer = ?',
  );
  const waiting = database.prepare<[string], { count: number }>(
    'SELECT count(*) AS count FROM feed_waiting WHERE consumer = ?',
  );
  const end = database.prepare<[], { position: number }>('SELECT coalesce(max(position), 0) AS position FROM events');
  const readCheckpoint = database.prepare<[string], { position: number }>(
    'SELECT position FROM feed_checkpoints WHERE consumer = ?',
  );
  const toDelivery = ({ position, attempts, body }: Row): Delivery => ({
    position,
    attempts,
    event: JSON.parse(body) as StoredEvent,
  });
  let checkpoint = readCheckpoint.get(consumer)?.position ?? 0;

  return {
    tail: (limit) => tail.all(checkpoint, limit).map(toDelivery),
    due: (now, limit) => due.all(consumer, now, limit).map(toDelivery),
    nextDueAt: () => nextDue.get(consumer)?.dueAt ?? null,
    async record(batch, failed, retryAt) {
      const reached = Math.max(checkpoint, batch.at(-1)?.position ?? 0);
      const isFailed = ({ event }: Delivery) => failed.has(event.id);
      const waiting = batch.filter(isFailed).map(({ position, attempts }) => {
        return { position, attempts: attempts + 1, dueAt: retryAt(attempts + 1) };
      });
      const done = batch.filter((one) => one.attempts > 0 && !isFailed(one)).map(({ position }) => position);
      await writer.recordProgress({ consumer, reached, waiting, done });
      checkpoint = reached;
    },
    checkpoint: () => checkpoint,
    end: () => end.get()?.position ?? 0,
    waiting: () => waiting.get(consumer)?.count ?? 0,
  };
}
