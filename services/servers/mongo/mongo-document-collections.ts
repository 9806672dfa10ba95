import type { Collection, Db, Filter, FindOptions, IndexDescription } from 'mongodb';
import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import { DOCUMENT_KINDS, type DocumentKind } from '../../contracts/ids.ts';
import { SEARCH_TEXT_VERSION } from '../../contracts/search-text.ts';
import { type Batched, batchRequests } from '../../runtime/batch-requests.ts';
import { saveNewer } from './mongo-guarded-save.ts';
import { AS_SAVED, type KeptDocument, keptDocument } from './mongo-kept-document.ts';

const COLLECTIONS: Record<DocumentKind, string> = {
  order: 'orders',
  product: 'products',
  user: 'users',
  review: 'reviews',
  mail: 'mails',
  balance: 'balances',
};

/** Every list query reads one of these indexes forwards or backwards. Ties are broken by id. */
const INDEXES: Record<DocumentKind, readonly IndexDescription[]> = {
  order: [
    { name: 'orders_listed', key: { 'computed.listed': 1, createdAt: 1, _id: 1 } },
    { name: 'orders_by_status', key: { status: 1, createdAt: 1, _id: 1 } },
    { name: 'orders_by_shipping', key: { status: 1, shippedAt: 1 } },
    { name: 'orders_by_customer', key: { customer: 1, createdAt: 1, _id: 1 } },
    { name: 'orders_by_expiry', key: { status: 1, expiresAt: 1, _id: 1 } },
    { name: 'orders_owing', key: { 'computed.owing': 1, _id: 1 } },
    {
      name: 'orders_by_payment',
      key: { paidAt: 1, shippedAt: 1 },
      partialFilterExpression: { paidAt: { $type: 'string' } },
    },
    {
      name: 'orders_by_kept',
      key: { paidAt: 1, total: 1, kept: 1 },
      partialFilterExpression: { paidAt: { $type: 'string' } },
    },
    {
      name: 'orders_by_money',
      key: { paidAt: 1, _id: 1 },
      partialFilterExpression: { paidAt: { $type: 'string' } },
    },
    { name: 'orders_searched', key: { 'computed.endings': 1 } },
    { name: 'orders_by_text', key: { 'computed.textVersion': 1 } },
  ],
  product: [
    { name: 'products_listed', key: { removed: 1, createdAt: 1, _id: 1 } },
    { name: 'products_by_price', key: { removed: 1, price: 1, _id: 1 } },
    { name: 'products_by_name', key: { removed: 1, name: 1, _id: 1 } },
    { name: 'products_by_stock', key: { removed: 1, quantity: 1, minorder: 1 } },
    { name: 'products_searched', key: { 'computed.endings': 1 } },
    { name: 'products_by_text', key: { 'computed.textVersion': 1 } },
  ],
  user: [
    { name: 'users_listed', key: { createdAt: 1, _id: 1 } },
    { name: 'users_by_role', key: { role: 1, _id: 1 } },
    { name: 'users_searched', key: { 'computed.endings': 1 } },
    { name: 'users_by_text', key: { 'computed.textVersion': 1 } },
  ],
  review: [
    { name: 'reviews_listed', key: { createdAt: 1, _id: 1 } },
    { name: 'reviews_by_item', key: { name: 1, createdAt: 1, _id: 1 } },
  ],
  mail: [{ name: 'mails_claimed', key: { claimedUntil: 1, _id: 1 } }],
  balance: [
    { name: 'balances_listed', key: { createdAt: 1, _id: 1 } },
    { name: 'balances_by_intent', key: { intent: 1, createdAt: 1, _id: 1 } },
  ],
};

const SEARCHED = ['order', 'product', 'user'] as const;

const BATCHES = { maxBatchSize: 200, maxInFlight: 2 };

export interface DocumentCollections {
  of(kind: DocumentKind): Collection<KeptDocument>;
  /** Returns documents exactly as they were saved. */
  find<K extends DocumentKind>(kind: K, filter: Filter<KeptDocument>, options: FindOptions): Promise<Documents[K][]>;
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

export async function openDocumentCollections(db: Db): Promise<DocumentCollections> {
  const collectionOf = (kind: DocumentKind): Collection<KeptDocument> => db.collection<KeptDocument>(COLLECTIONS[kind]);
  for (const kind of DOCUMENT_KINDS) await collectionOf(kind).createIndexes([...INDEXES[kind]]);
  for (const kind of SEARCHED) await renewSearchFields(collectionOf(kind));

  const batches = Object.fromEntries(DOCUMENT_KINDS.map((kind) => [kind, batchesOf(collectionOf(kind))])) as {
    readonly [K in DocumentKind]: DocumentBatches<Documents[K]>;
  };

  return {
    of: collectionOf,
    find<K extends DocumentKind>(kind: K, filter: Filter<KeptDocument>, options: FindOptions) {
      return collectionOf(kind)
        .find<Documents[K]>(filter, { projection: AS_SAVED, ...options })
        .toArray();
    },
    get: (kind, id) => batches[kind].get(id),
    async getMany(kind, ids) {
      const found = await Promise.all([...new Set(ids)].sort().map((id) => batches[kind].get(id)));
      return found.filter((document) => document !== null);
    },
    async save(documents) {
      const saves = documents.map((document): Promise<AnyDocument | null> => {
        return batches[document.kind].save(keptDocument(document));
      });
      return (await Promise.all(saves)).filter((newer) => newer !== null);
    },
    async clear() {
      for (const kind of DOCUMENT_KINDS) await collectionOf(kind).deleteMany({});
    },
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

/** Each condition in these filters has its own index, so that `$or` doesn't scan the collection. */
const OLDER_TEXTS = {
  $or: [{ 'computed.endings': null }, { 'computed.textVersion': { $not: { $gte: SEARCH_TEXT_VERSION } } }],
};

/**
 * Updates the search fields of documents that an older release saved. If another process saves a document at the same
 * time, that save wins.
 */
async function renewSearchFields(collection: Collection<KeptDocument>): Promise<void> {
  for (;;) {
    const options = { projection: AS_SAVED, limit: BATCHES.maxBatchSize };
    const found = await collection.find<AnyDocument>(OLDER_TEXTS, options).toArray();
    if (found.length === 0) return;
    const updates = found.map((document) => {
      const { computed } = keptDocument(document);
      return { updateOne: { filter: { _id: document.id, version: document.version }, update: { $set: { computed } } } };
    });
    await collection.bulkWrite(updates, { ordered: false });
  }
}
