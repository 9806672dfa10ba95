import type { Database } from 'better-sqlite3';
import type { StoredEvent } from '../../contracts/events.ts';
import {
  AppendOutcomeUnknown,
  type AppendResult,
  type Commit,
  type EventLog,
  serializeCommit,
} from '../../engine/log/event-log.ts';
import { batchRequests } from '../../runtime/batch-requests.ts';

/** Commits per transaction: bounds how long it blocks the event loop. */
const MAX_BATCH = 512;
/** Events per turn of the event loop. */
const READ_AT_ONCE = 250;

interface PendingAppend {
  readonly commit: Commit;
  readonly bodies: readonly string[];
}

/** Appends of one turn of the event loop share a transaction and its fsync. close() leaves the database open. */
export function createSqliteEventLog(options: { database: Database; onAppended?: () => void }): EventLog {
  const { database, onAppended } = options;
  const reads = prepareReads(database);
  const appendOne = prepareAppend(database);
  const transaction = database.transaction((batch: readonly PendingAppend[]) => batch.map(appendOne));
  const append = batchRequests<PendingAppend, AppendResult>({
    send: appendAll,
    maxBatchSize: MAX_BATCH,
    maxInFlight: 1,
  });
  const running = new Set<Promise<AppendResult>>();
  let closed = false;

  async function appendAll(batch: readonly PendingAppend[]): Promise<(AppendResult | Error)[]> {
    try {
      const results = transaction.immediate(batch);
      if (results.some(({ kind }) => kind === 'appended')) onAppended?.();
      return results;
    } catch (error) {
      // A failed fsync may still have left the commit in the WAL: only the same commit may be retried.
      return batch.map(
        ({ commit }) => new AppendOutcomeUnknown(`Commit ${commit.id} may or may not be in the log.`, { cause: error }),
      );
    }
  }

  return {
    async append(commit) {
      const bodies = serializeCommit(commit);
      if (closed) throw new Error('The event log is closed.');
      const appending = append({ commit, bodies });
      running.add(appending);
      return appending.finally(() => running.delete(appending));
    },
    ...reads,
    async close() {
      closed = true;
      await Promise.allSettled(running);
    },
  };
}

/** Runs inside the open transaction. */
function prepareAppend(database: Database): (pending: PendingAppend) => AppendResult {
  const head = database.prepare<[string], { version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM events WHERE stream = ?',
  );
  const commitAt = database.prepare<[string, number], { commitId: string }>(
    'SELECT commit_id AS commitId FROM events WHERE stream = ? AND version = ?',
  );
  const insert = database.prepare<[string, number, string, string, string]>(
    'INSERT INTO events (stream, version, commit_id, cause, body) VALUES (?, ?, ?, ?, ?)',
  );

  return ({ commit, bodies }) => {
    const { id, stream, expectedVersion, events } = commit;
    const version = expectedVersion + events.length;
    const actualVersion = head.get(stream)?.version ?? 0;
    if (actualVersion !== expectedVersion) {
      const standsThere = [expectedVersion + 1, version].every((at) => commitAt.get(stream, at)?.commitId === id);
      return standsThere ? { kind: 'appended', version } : { kind: 'conflict', actualVersion };
    }
    events.forEach((event, index) => {
      insert.run(stream, event.streamversion, id, event.cause, bodies[index] ?? '');
    });
    return { kind: 'appended', version };
  };
}

function prepareReads(database: Database): Pick<EventLog, 'readStream' | 'head' | 'findByCauses' | 'readAll'> {
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
    async readAll(after, limit) {
      const rows = all.all(after === null ? 0 : Number(after), limit);
      const last = rows.at(-1);
      return { events: rows.map(parse), position: last ? String(last.position) : after };
    },
  };
}
