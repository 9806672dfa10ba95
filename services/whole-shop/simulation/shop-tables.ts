import type { AnyDocument } from '../../contracts/documents.ts';
import type { StoredEvent } from '../../contracts/events.ts';
import { commitName, type DocumentKind, documentOf, type StreamName } from '../../contracts/ids.ts';
import type { AppendResult, Commit } from '../../engine/log/event-log.ts';
import { byKind } from '../../engine/read-models/by-kind.ts';
import { createMemoryDisk, type MemoryDisk } from './memory-disk.ts';

interface CommitRow {
  readonly id: string;
  readonly stream: StreamName;
  readonly last: number;
  readonly events: readonly StoredEvent[];
  /** true until the feed has handled the commit; always false for a stream without a document */
  open: boolean;
}

/** Everything that a shop stores, apart from its keys. Rows hold plain JSON values, and nobody changes a row's values. */
export interface ShopTables {
  /** the commits by name, in the order in which they were appended */
  readonly commits: Map<string, CommitRow>;
  /** all events in the order in which they were appended; an event's position is its index plus 1 */
  readonly events: StoredEvent[];
  readonly streams: Map<StreamName, StoredEvent[]>;
  readonly documents: Readonly<Record<DocumentKind, Map<string, AnyDocument>>>;
  /** how many times the documents of each kind have changed */
  readonly changes: Record<DocumentKind, number>;
  readonly snapshots: Map<StreamName, unknown>;
  /** the embedded feed's checkpoint, and its failed events by position */
  readonly feed: { checkpoint: number; readonly waiting: Map<number, { attempts: number; dueAt: number }> };
}

export type ShopDisk = MemoryDisk<ShopTables>;

export const createShopDisk = (): ShopDisk =>
  createMemoryDisk(() => ({
    commits: new Map(),
    events: [],
    streams: new Map(),
    documents: byKind(() => new Map()),
    changes: byKind(() => 0),
    snapshots: new Map(),
    feed: { checkpoint: 0, waiting: new Map() },
  }));

export const headOf = (tables: ShopTables, stream: StreamName): number => tables.streams.get(stream)?.length ?? 0;

/** `bodies` holds each event as JSON. */
export function appendTo(
  tables: ShopTables,
  { id, stream, expectedVersion }: Commit,
  bodies: readonly string[],
): AppendResult {
  const name = commitName(stream, expectedVersion + 1);
  const actualVersion = headOf(tables, stream);
  const version = expectedVersion + bodies.length;
  if (actualVersion !== expectedVersion) {
    const repeated = tables.commits.get(name)?.id === id && tables.commits.get(name)?.last === version;
    return repeated ? { kind: 'appended', version } : { kind: 'conflict', actualVersion };
  }
  const events = bodies.map((body) => JSON.parse(body) as StoredEvent);
  tables.commits.set(name, { id, stream, last: version, events, open: documentOf(stream) !== null });
  tables.streams.set(stream, [...(tables.streams.get(stream) ?? []), ...events]);
  tables.events.push(...events);
  return { kind: 'appended', version };
}

/** Saves each document that is newer than the stored one. Returns the stored documents that are newer than the given ones. */
export function saveIn(tables: ShopTables, documents: readonly AnyDocument[]): AnyDocument[] {
  return documents.flatMap((document) => {
    const { kind, id, version } = document;
    const stored = tables.documents[kind].get(id);
    if (stored && stored.version >= version) return stored.version > version ? [stored] : [];
    tables.documents[kind].set(id, document);
    tables.changes[kind] += 1;
    return [];
  });
}
