import type { AnyDocument } from '../../contracts/documents.ts';
import { DOCUMENT_KINDS, type DocumentKind, type StreamName } from '../../contracts/ids.ts';
import type { AppendResult } from '../../engine/log/event-log.ts';
import { byKind } from '../../engine/read-models/by-kind.ts';
import { wipeWal } from '../../runtime/empty-wal.ts';
import { type Database, TEXT } from '../../runtime/sqlite.ts';
import { prepareSearchWrites, SEARCHED } from './sqlite-search-index.ts';

/** A commit in stored form: each event with its version, its cause and its JSON. */
export interface WrittenCommit {
  readonly id: string;
  readonly stream: StreamName;
  readonly expectedVersion: number;
  readonly events: readonly { readonly version: number; readonly cause: string; readonly body: string }[];
}

/** A document in stored form: its JSON and its search text. */
export interface WrittenDocument {
  readonly kind: DocumentKind;
  readonly id: string;
  readonly version: number;
  readonly body: string;
  readonly search: string;
}

/**
 * The kinds of the documents that changed, and the JSON of each stored document that is newer than the version that the
 * caller tried to save.
 */
export interface SavedDocuments {
  readonly changed: readonly DocumentKind[];
  readonly newer: readonly string[];
}

/** The position that a feed consumer has reached, the failed events that wait for a retry, and the retried events that succeeded. */
export interface FeedProgress {
  readonly consumer: string;
  readonly reached: number;
  readonly waiting: readonly { readonly position: number; readonly attempts: number; readonly dueAt: number }[];
  readonly done: readonly number[];
}

/** All writes to shop.sqlite, except those that create its tables. Each call is one transaction, and its arguments are plain data. */
export interface ShopWrites {
  append(commits: readonly WrittenCommit[]): AppendResult[];
  saveDocuments(documents: readonly WrittenDocument[]): SavedDocuments;
  clearDocuments(): void;
  recordProgress(progress: FeedProgress): void;
  keepSnapshot(stream: StreamName, body: string): void;
  clearSnapshots(): void;
  /** Removes overwritten data from the disk by emptying the WAL. @throws Error if another connection is reading */
  wipe(): void;
}

/** The same writes as in ShopWrites, but asynchronous, because another thread may perform them. */
export type ShopWriter = {
  readonly [Write in keyof ShopWrites]: (
    ...args: Parameters<ShopWrites[Write]>
  ) => Promise<ReturnType<ShopWrites[Write]>>;
};

/**
 * Returns functions that write through this connection. Each statement is prepared on first use, because its table may
 * not exist yet when this function is called.
 */
export function shopWrites(database: Database): ShopWrites {
  const appends = once(() => prepareAppend(database));
  const documents = once(() => prepareDocuments(database));
  const progress = once(() => prepareProgress(database));
  const snapshots = once(() => prepareSnapshots(database));
  const behind = <T>(write: () => T) => writeBehindLog(database, write);
  return {
    append: (commits) => appends()(commits),
    saveDocuments: (saved) => behind(() => documents().save(saved)),
    clearDocuments: () => documents().clear(),
    recordProgress: (one) => behind(() => progress()(one)),
    keepSnapshot: (stream, body) => behind(() => snapshots().keep.run(stream, body)),
    clearSnapshots: () => snapshots().clear.run(),
    wipe: () => wipeWal(database),
  };
}

/** Returns a writer that performs each write immediately, in the calling thread. */
export function writeHere(database: Database): ShopWriter {
  const writes = Object.entries(shopWrites(database));
  return Object.fromEntries(
    writes.map(([name, write]: [string, (...args: never[]) => unknown]) => [
      name,
      async (...args: never[]) => write(...args),
    ]),
  ) as unknown as ShopWriter;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Writes data that can be rebuilt from the log, without waiting for the disk. The next append does wait, and syncs this
 * write too. Because the WAL keeps commits in order, a power loss that loses this write also loses every later commit,
 * including the one that moved the feed's checkpoint. The feed then delivers the events again.
 */
function writeBehindLog<T>(database: Database, write: () => T): T {
  // Inside a larger transaction, such as a rebuild's, the write is committed with that transaction.
  if (database.inTransaction) return write();
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return write();
  } finally {
    database.exec('PRAGMA synchronous = FULL');
  }
}

function prepareAppend(database: Database): ShopWrites['append'] {
  const head = database.prepare<[string], { version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM events WHERE stream = ?',
  );
  const commitAt = database.prepare<[string, number], { commitId: string }>(
    'SELECT commit_id AS commitId FROM events WHERE stream = ? AND version = ?',
  );
  const insert = database.prepare<[string, number, string, string, string]>(
    'INSERT INTO events (stream, version, commit_id, cause, body) VALUES (?, ?, ?, ?, ?)',
  );

  function appendOne({ id, stream, expectedVersion, events }: WrittenCommit): AppendResult {
    const version = expectedVersion + events.length;
    const actualVersion = head.get(stream)?.version ?? 0;
    if (actualVersion !== expectedVersion) {
      const standsThere = [expectedVersion + 1, version].every((at) => commitAt.get(stream, at)?.commitId === id);
      return standsThere ? { kind: 'appended', version } : { kind: 'conflict', actualVersion };
    }
    for (const event of events) insert.run(stream, event.version, id, event.cause, event.body);
    return { kind: 'appended', version };
  }
  return (commits) => database.transaction(() => commits.map(appendOne));
}

function prepareDocuments(database: Database) {
  const kinds = byKind((kind) => prepareKind(database, kind));
  function saveAll(documents: readonly WrittenDocument[]): SavedDocuments {
    const changed = new Set<DocumentKind>();
    const newer: string[] = [];
    for (const { kind, id, version, body, search: after } of documents) {
      const { search, upsert, get, index } = kinds[kind];
      const before = search.get(id)?.search ?? null;
      const { changes } = upsert.run(id, version, body, JSON.stringify(after));
      if (changes > 0) changed.add(kind);
      if (changes > 0 && before !== after) index?.replace(id, before, after);
      const kept = changes === 0 ? get.get(id) : undefined;
      if (kept && (JSON.parse(kept.body) as AnyDocument).version > version) newer.push(kept.body);
    }
    return { changed: [...changed], newer };
  }
  function clearAll(): void {
    for (const kind of DOCUMENT_KINDS) {
      kinds[kind].clear.run();
      kinds[kind].index?.clear();
    }
  }
  return {
    // Inside a rebuild's transaction, documents are saved without a savepoint, because each savepoint would make FTS5
    // flush its pending writes.
    save: (documents: readonly WrittenDocument[]) =>
      database.inTransaction ? saveAll(documents) : database.transaction(() => saveAll(documents)),
    clear: () => database.transaction(clearAll),
  };
}

export function tableOf(kind: DocumentKind): string {
  return `${kind}_documents`;
}

function prepareKind(database: Database, kind: DocumentKind) {
  const table = tableOf(kind);
  return {
    index: SEARCHED.includes(kind) ? prepareSearchWrites(database, kind) : null,
    search: database.prepare<[string], { search: string }>(`SELECT search FROM ${table} WHERE id = ?`),
    get: database.prepare<[string], { body: string }>(`SELECT body FROM ${table} WHERE id = ?`),
    upsert: database.prepare<[string, number, string, string]>(
      `INSERT INTO ${table} (id, version, body, search) VALUES (?, ?, ?, ${TEXT})
       ON CONFLICT (id) DO UPDATE SET version = excluded.version, body = excluded.body, search = excluded.search
       WHERE excluded.version > ${table}.version`,
    ),
    clear: database.prepare<[]>(`DELETE FROM ${table}`),
  };
}

function prepareProgress(database: Database): ShopWrites['recordProgress'] {
  const saveCheckpoint = database.prepare<[string, number]>(
    `INSERT INTO feed_checkpoints (consumer, position) VALUES (?, ?)
     ON CONFLICT (consumer) DO UPDATE SET position = excluded.position`,
  );
  const forget = database.prepare<[string, number]>('DELETE FROM feed_waiting WHERE consumer = ? AND position = ?');
  const keep = database.prepare<[string, number, number, number]>(
    `INSERT INTO feed_waiting (consumer, position, attempts, due_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (consumer, position) DO UPDATE SET attempts = excluded.attempts, due_at = excluded.due_at`,
  );
  function record({ consumer, reached, waiting, done }: FeedProgress): void {
    for (const { position, attempts, dueAt } of waiting) keep.run(consumer, position, attempts, dueAt);
    for (const position of done) forget.run(consumer, position);
    saveCheckpoint.run(consumer, reached);
  }
  return (progress) => database.transaction(() => record(progress));
}

function prepareSnapshots(database: Database) {
  return {
    keep: database.prepare<[string, string]>('INSERT OR REPLACE INTO snapshots (stream, body) VALUES (?, ?)'),
    clear: database.prepare<[]>('DELETE FROM snapshots'),
  };
}
