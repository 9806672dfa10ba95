import type { StoredEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { AppendOutcomeUnknown, type AppendResult, closableAppends, type EventLog } from '../../engine/log/event-log.ts';
import { batchRequests } from '../../runtime/batch-requests.ts';
import type { Database } from '../../runtime/sqlite.ts';
import { type ShopWriter, type WrittenCommit, writeHere } from './sqlite-writes.ts';

/** The maximum number of commits per transaction. It limits how long a transaction blocks the event loop. */
const MAX_BATCH = 512;
/** The maximum number of events read per turn of the event loop. */
const READ_AT_ONCE = 250;

/** The SQL expression for an event's `person`. Queries must repeat this expression exactly, or SQLite won't use the index on it. */
const PERSON = "CASE WHEN json_valid(body) THEN body ->> '$.data.person' END";
/** The index on `person` is created here, because a migration would keep older versions of this program from opening the file. */
const PERSON_INDEX = `CREATE INDEX IF NOT EXISTS events_by_person ON events (${PERSON})
  WHERE version = 1 AND ${PERSON} IS NOT NULL`;

/** Appends that arrive during a transaction share the next transaction and its fsync. close() leaves the database open. */
export function createSqliteEventLog(options: {
  readonly database: Database;
  readonly writer?: Pick<ShopWriter, 'append'>;
}): EventLog {
  const { database, writer = writeHere(database) } = options;
  database.exec(PERSON_INDEX);
  const append = batchRequests<WrittenCommit, AppendResult>({
    send: appendAll,
    maxBatchSize: MAX_BATCH,
    maxInFlight: 1,
  });

  async function appendAll(batch: readonly WrittenCommit[]): Promise<(AppendResult | Error)[]> {
    try {
      return await writer.append(batch);
    } catch (error) {
      // After a failed fsync the commit may still be in the WAL, so only the same commit may be retried.
      return batch.map(
        ({ id }) => new AppendOutcomeUnknown(`Commit ${id} may or may not be in the log.`, { cause: error }),
      );
    }
  }

  const writes = closableAppends(({ id, stream, expectedVersion, events }, bodies) => {
    const written = events.map(({ streamversion: version, cause }, index) => ({
      version,
      cause,
      body: bodies[index] ?? '',
    }));
    return append({ id, stream, expectedVersion, events: written });
  });
  return { ...prepareReads(database), ...writes };
}

function prepareReads(database: Database): Omit<EventLog, 'append' | 'close'> {
  const stream = database.prepare<[string, number, number], { body: string }>(
    'SELECT body FROM events WHERE stream = ? AND version > ? ORDER BY version LIMIT ?',
  );
  const head = database.prepare<[string], { version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM events WHERE stream = ?',
  );
  const byCause = database.prepare<[string, string], { version: number; body: string }>(
    'SELECT version, body FROM events WHERE stream = ? AND cause = ?',
  );
  const all = database.prepare<[number, number], { position: number; body: string }>(
    'SELECT position, body FROM events WHERE position > ? ORDER BY position LIMIT ?',
  );
  const begunFor = database.prepare<[string], { stream: StreamName }>(
    `SELECT stream FROM events WHERE version = 1 AND ${PERSON} = ?`,
  );
  const parse = ({ body }: { body: string }) => JSON.parse(body) as StoredEvent;

  return {
    async readStream(name, afterVersion, limit) {
      const events: StoredEvent[] = [];
      for (let left = limit; left > 0; left = limit - events.length) {
        if (events.length > 0) await new Promise(setImmediate);
        const rows = stream.all(name, events.at(-1)?.streamversion ?? afterVersion, Math.min(left, READ_AT_ONCE));
        events.push(...rows.map(parse));
        if (rows.length < READ_AT_ONCE) break;
      }
      return events;
    },
    head: async (name) => head.get(name)?.version ?? 0,
    async findByCauses(name, causes) {
      const rows = [...new Set(causes)].flatMap((cause) => byCause.all(name, cause));
      return rows.sort((one, other) => one.version - other.version).map(parse);
    },
    streamsOf: async (person) => begunFor.all(person).map(({ stream }) => stream),
    async readAll(after, limit) {
      const rows = all.all(after === null ? 0 : Number(after), limit);
      const last = rows.at(-1);
      return { events: rows.map(parse), position: last ? String(last.position) : after };
    },
  };
}
