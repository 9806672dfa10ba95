import type { Collection, Db, IndexDescription } from 'mongodb';
import { type Declaration, type Declarations, withId } from '../../contracts/document-queries.ts';
import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import { DOCUMENT_KINDS, type DocumentKind } from '../../contracts/ids.ts';
import { byKind } from '../../engine/read-models/by-kind.ts';
import { type Batched, batchRequests } from '../../runtime/batch-requests.ts';
import { saveNewer } from './mongo-guarded-save.ts';
import { AS_SAVED, type KeptDocument, keptDocument } from './mongo-kept-document.ts';

const BATCHES = { maxBatchSize: 200, maxInFlight: 2 };

export interface DocumentCollections {
  of(kind: DocumentKind): Collection<KeptDocument>;
  get<K extends DocumentKind>(kind: K, id: string): Promise<Documents[K] | null>;
  /** Returns the existing documents with these ids, ordered by id and without duplicates. */
  getMany<K extends DocumentKind>(kind: K, ids: readonly string[]): Promise<Documents[K][]>;
  /**
   * Saves each document only if its version is higher than the stored version. Returns the stored documents that are
   * newer than the given ones.
   */
  save(documents: readonly AnyDocument[]): Promise<AnyDocument[]>;
  clear(): Promise<void>;
}

export async function openDocumentCollections(db: Db, declarations: Declarations): Promise<DocumentCollections> {
  const collections = byKind((kind): Collection<KeptDocument> => db.collection<KeptDocument>(`${kind}s`));
  for (const kind of DOCUMENT_KINDS) {
    await collections[kind].createIndexes(indexesOf(kind, declarations[kind]));
    await renewComputed(collections[kind], declarations[kind]);
  }
  const batches = byKind((kind) => batchesOf(collections[kind])) as {
    readonly [K in DocumentKind]: DocumentBatches<Documents[K]>;
  };

  return {
    of: (kind) => collections[kind],
    get: (kind, id) => batches[kind].get(id),
    async getMany(kind, ids) {
      const found = await Promise.all([...new Set(ids)].sort().map((id) => batches[kind].get(id)));
      return found.filter((document) => document !== null);
    },
    async save(documents) {
      const saves = documents.map((document): Promise<AnyDocument | null> => {
        return batches[document.kind].save(keptDocument(declarations[document.kind], document));
      });
      return (await Promise.all(saves)).filter((newer) => newer !== null);
    },
    async clear() {
      for (const kind of DOCUMENT_KINDS) await collections[kind].deleteMany({});
    },
  };
}

/** Returns the field in which a stored document has its value in a column. */
export function fieldOf(column: string): string {
  if (column === 'id') return '_id';
  return column === 'version' ? 'version' : `computed.columns.${column}`;
}

const DECLARED = 'computed.declared';

function indexesOf(kind: DocumentKind, { indexes, text, counted }: Declaration): IndexDescription[] {
  const declared = indexes.map((index) => indexOn(kind, withId(index)));
  return [
    ...declared,
    ...(counted ? [indexOn(kind, [counted.column, counted.since])] : []),
    ...(text ? [{ name: `${kind}_by_endings`, key: { 'computed.endings': 1 } as const }] : []),
    { name: `${kind}_by_declaration`, key: { [DECLARED]: 1 } },
  ];
}

function indexOn(kind: DocumentKind, columns: readonly string[]): IndexDescription {
  const fields = columns.map(fieldOf);
  return {
    name: `${kind}_by_${columns.join('_')}`,
    key: Object.fromEntries(fields.map((field) => [field, 1])),
    partialFilterExpression: { [`${fields[0]}`]: { $exists: true } },
  };
}

interface DocumentBatches<D> {
  readonly get: Batched<string, D | null>;
  /**
   * Saves a document only if its version is higher than the stored version. Returns the stored document if it is newer,
   * or else null.
   */
  readonly save: Batched<KeptDocument, D | null>;
}

function batchesOf<D extends AnyDocument>(collection: Collection<KeptDocument>): DocumentBatches<D> {
  return {
    get: batchRequests<string, D | null>({
      ...BATCHES,
      async send(ids) {
        const found = await collection.find<D>({ _id: { $in: [...ids] } }, { projection: AS_SAVED }).toArray();
        const byId = new Map(found.map((document) => [document.id, document]));
        return ids.map((id) => byId.get(id) ?? null);
      },
    }),
    save: batchRequests<KeptDocument, D | null>({
      ...BATCHES,
      send: (documents) => saveNewer<D>(collection, documents),
      // Resends the documents of a failed batch one by one. Otherwise, a faulty document would make its whole batch
      // fail on every retry (PRJ4).
      sendAlone: () => true,
    }),
  };
}

/**
 * Computes the values of documents again that another release saved by an older declaration. If another process saves a
 * document at the same time, that save wins.
 */
async function renewComputed(collection: Collection<KeptDocument>, declaration: Declaration): Promise<void> {
  const older = { [DECLARED]: { $not: { $gte: declaration.version } } };
  for (;;) {
    const options = { projection: AS_SAVED, limit: BATCHES.maxBatchSize };
    const found = await collection.find<AnyDocument>(older, options).toArray();
    if (found.length === 0) return;
    const updates = found.map((document) => {
      const { computed } = keptDocument(declaration, document);
      return { updateOne: { filter: { _id: document.id, version: document.version }, update: { $set: { computed } } } };
    });
    await collection.bulkWrite(updates, { ordered: false });
  }
}
