import type { AnyDocument } from '../../contracts/documents.ts';
import { DOCUMENT_KINDS, type DocumentKind, type StreamName } from '../../contracts/ids.ts';
import type { AppendResult } from '../../engine/log/event-log.ts';
import { wipeWal } from '../../runtime/empty-wal.ts';
import { type Database, TEXT } from '../../runtime/sqlite.ts';
import { prepareSearchWrites } from './sqlite-search-index.ts';

/** A commit in stored form: each event with its version, its cause and its JSON. */
export interface WrittenCommit {
  readonly id: string;
  readonly stream: StreamName;
  readonly expectedVersion: number;
  readonly events: readonly { readonly version: number; readonly cause: string; readonly body: string }[];
}

/** A document in stored form: its columns, its JSON, and its search text, which is null if its kind can't be searched. */
export interface WrittenDocument {
  readonly kind: DocumentKind;
  readonly id: string;
  readonly version: number;
  readonly columns: Readonly<Record<string, string | number | true | null>>;
  readonly search: string | null;
  readonly body: string;
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
  /** `searched` are the kinds of document that have a search index. */
  clearDocuments(searched: readonly DocumentKind[]): void;
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
    clearDocuments: (searched) => documents().clear(searched),
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
  const tables = new Map<DocumentKind, ReturnType<typeof prepareTable>>();
  function tableFor(document: WrittenDocument): ReturnType<typeof prepareTable> {
    const table = tables.get(document.kind) ?? prepareTable(database, document);
    tables.set(document.kind, table);
    return table;
  }
  function saveAll(documents: readonly WrittenDocument[]): SavedDocuments {
    const changed = new Set<DocumentKind>();
    const newer: string[] = [];
    for (const document of documents) {
      const { kind, id, version, columns, search: after, body } = document;
      const { search, upsert, get, index } = tableFor(document);
      const before = index ? (search.get(id)?.search ?? null) : null;
      const values = Object.values({ ...columns, search: after }).map((value) => JSON.stringify(value));
      const { changes } = upsert.run(id, version, ...values, body);
      if (changes > 0) changed.add(kind);
      if (changes > 0 && before !== after) index?.replace(id, before, after ?? '');
      const kept = changes === 0 ? get.get(id) : undefined;
      if (kept && (JSON.parse(kept.body) as AnyDocument).version > version) newer.push(kept.body);
    }
    return { changed: [...changed], newer };
  }
  function clearAll(searched: readonly DocumentKind[]): void {
    for (const kind of DOCUMENT_KINDS) database.exec(`DELETE FROM ${tableOf(kind)}`);
    for (const kind of searched) prepareSearchWrites(database, kind).clear();
  }
  return {
    // Inside a rebuild's transaction, documents are saved without a savepoint, because each savepoint would make FTS5
    // flush its pending writes.
    save: (documents: readonly WrittenDocument[]) =>
      database.inTransaction ? saveAll(documents) : database.transaction(() => saveAll(documents)),
    clear: (searched: readonly DocumentKind[]) => database.transaction(() => clearAll(searched)),
  };
}

export function tableOf(kind: DocumentKind): string {
  return `${kind}_documents`;
}

/** Prepares the writes to the table of one kind of document. All documents of a kind have the same columns. */
function prepareTable(database: Database, { kind, columns, search }: WrittenDocument) {
  const table = tableOf(kind);
  const names = [...Object.keys(columns), 'search'].map((name) => `"${name}"`);
  const replaced = [...names, 'version', 'body'].map((name) => `${name} = excluded.${name}`);
  return {
    index: search === null ? null : prepareSearchWrites(database, kind),
    search: database.prepare<[string], { search: string }>(`SELECT search FROM ${table} WHERE id = ?`),
    get: database.prepare<[string], { body: string }>(`SELECT body FROM ${table} WHERE id = ?`),
    upsert: database.prepare<(string | number)[]>(
      `INSERT INTO ${table} (id, version, ${names.join()}, body) VALUES (?, ?, ${names.map(() => TEXT).join()}, ?)
       ON CONFLICT (id) DO UPDATE SET ${replaced.join()} WHERE excluded.version > ${table}.version`,
    ),
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
