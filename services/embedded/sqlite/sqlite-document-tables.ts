import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import { DOCUMENT_KINDS, type DocumentKind } from '../../contracts/ids.ts';
import { ENOUGH_ORDERS, ENOUGH_STOCK } from '../../contracts/product/stock.ts';
import { SEARCH_TEXT_VERSION } from '../../contracts/search-text.ts';
import { byKind } from '../../engine/read-models/by-kind.ts';
import { searchText } from '../../engine/read-models/search-text.ts';
import { type Database, TEXT } from '../../runtime/sqlite.ts';
import { dropSearchIndex, openSearchIndex, SEARCHED } from './sqlite-search-index.ts';
import { type ShopWriter, tableOf, type WrittenDocument, writeHere } from './sqlite-writes.ts';

export type DocumentWriter = Pick<ShopWriter, 'saveDocuments' | 'clearDocuments'>;

/** isLowStock() as an SQL condition. */
export const LOW_STOCK = `quantity < max(${ENOUGH_STOCK}, ${ENOUGH_ORDERS} * (body ->> '$.minorder'))`;

/**
 * The expressions used in the index of orders with due work (open payment intents or refunds). A covering index in
 * SQLite can use expressions but not computed columns. Without a covering index, a query would have to parse every
 * document.
 */
export const OWES = `(json_array_length(body, '$.owes.intents') + json_array_length(body, '$.owes.refunds') > 0)`;
/** the part of an order's total that the shop keeps (OrderDocument.kept), in taka */
export const KEPT = `coalesce(body ->> '$.kept', body ->> '$.total')`;
export const PAID_AT = `body ->> '$.paidAt'`;
export const STATUS = `body ->> '$.status'`;
export const CREATED_AT = `body ->> '$.createdAt'`;

/** One table per document kind, with the document as JSON and computed columns for fields that lists filter or sort by. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS order_documents (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    search TEXT NOT NULL,
    created_at TEXT NOT NULL AS (body ->> '$.createdAt'),
    customer TEXT NOT NULL AS (body ->> '$.customer'),
    status TEXT NOT NULL AS (body ->> '$.status'),
    expires_at TEXT AS (body ->> '$.expiresAt'),
    owing INTEGER NOT NULL AS (json_array_length(body, '$.owes.intents') + json_array_length(body, '$.owes.refunds') > 0)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS orders_listed ON order_documents (created_at, id) WHERE status <> 'cancelled';
  CREATE INDEX IF NOT EXISTS orders_by_status ON order_documents (status, created_at, id);
  CREATE INDEX IF NOT EXISTS orders_by_customer ON order_documents (customer, created_at, id);
  CREATE INDEX IF NOT EXISTS orders_by_expiry ON order_documents (status, expires_at, id) WHERE status = 'unpaid';
  CREATE INDEX IF NOT EXISTS orders_owing_steps ON order_documents (${OWES}, id, ${STATUS}, ${CREATED_AT}, version) WHERE ${OWES} = 1;
  CREATE INDEX IF NOT EXISTS orders_by_payment ON order_documents (body ->> '$.paidAt', body ->> '$.shippedAt') WHERE body ->> '$.paidAt' IS NOT NULL;
  CREATE INDEX IF NOT EXISTS orders_by_kept ON order_documents (body ->> '$.paidAt', ${KEPT}) WHERE body ->> '$.paidAt' IS NOT NULL;

  CREATE TABLE IF NOT EXISTS product_documents (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    search TEXT NOT NULL,
    created_at TEXT NOT NULL AS (body ->> '$.createdAt'),
    name TEXT NOT NULL AS (body ->> '$.name'),
    price INTEGER NOT NULL AS (body ->> '$.price'),
    quantity INTEGER NOT NULL AS (body ->> '$.quantity'),
    removed INTEGER NOT NULL AS (body ->> '$.removed')
  ) STRICT;
  CREATE INDEX IF NOT EXISTS products_listed ON product_documents (created_at, id) WHERE removed = 0;
  CREATE INDEX IF NOT EXISTS products_by_price ON product_documents (price, id) WHERE removed = 0;
  CREATE INDEX IF NOT EXISTS products_by_name ON product_documents (name, id) WHERE removed = 0;
  CREATE INDEX IF NOT EXISTS products_low ON product_documents (created_at, id) WHERE removed = 0 AND ${LOW_STOCK};

  CREATE TABLE IF NOT EXISTS user_documents (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    search TEXT NOT NULL,
    created_at TEXT NOT NULL AS (body ->> '$.createdAt'),
    role TEXT NOT NULL AS (body ->> '$.role')
  ) STRICT;
  CREATE INDEX IF NOT EXISTS users_listed ON user_documents (created_at, id);
  CREATE INDEX IF NOT EXISTS users_admins ON user_documents (id) WHERE role = 'admin';

  CREATE TABLE IF NOT EXISTS review_documents (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    search TEXT NOT NULL,
    created_at TEXT NOT NULL AS (body ->> '$.createdAt')
  ) STRICT;
  CREATE INDEX IF NOT EXISTS reviews_listed ON review_documents (created_at, id);
  CREATE INDEX IF NOT EXISTS reviews_by_item ON review_documents (body ->> '$.name', created_at, id);

  CREATE TABLE IF NOT EXISTS mail_documents (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    search TEXT NOT NULL,
    claimed_until TEXT AS (body ->> '$.claimedUntil')
  ) STRICT;
  CREATE INDEX IF NOT EXISTS mails_claimed ON mail_documents (claimed_until, id) WHERE claimed_until IS NOT NULL;

  CREATE TABLE IF NOT EXISTS balance_documents (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    search TEXT NOT NULL,
    created_at TEXT NOT NULL AS (body ->> '$.createdAt'),
    intent TEXT AS (body ->> '$.intent')
  ) STRICT;
  CREATE INDEX IF NOT EXISTS balances_listed ON balance_documents (created_at, id);
  CREATE INDEX IF NOT EXISTS balances_by_intent ON balance_documents (intent, created_at, id) WHERE intent IS NOT NULL;`;

export interface DocumentTables {
  get<K extends DocumentKind>(kind: K, id: string): Documents[K] | null;
  getMany<K extends DocumentKind>(kind: K, ids: readonly string[]): Documents[K][];
  /**
   * Returns the ids of all documents that may contain these words. Returns null if there are no words, if documents of
   * this kind have no search index, if more than `most` documents match, or if every word is too common.
   */
  candidates(kind: DocumentKind, words: readonly string[], most: number): string[] | null;
  /**
   * Saves, in one transaction, each document that is newer than the stored one. Returns the stored documents that are
   * newer than the given ones.
   */
  save(documents: readonly AnyDocument[]): Promise<AnyDocument[]>;
  clear(): Promise<void>;
  /**
   * Returns a version that changes whenever documents of this kind have changed. A counter in memory is enough, because
   * only this process writes. The version changes only after a save has become visible. A caller that reads the version
   * first and the data second therefore never gets data older than that version.
   */
  versionOf(kind: DocumentKind): string;
}

export function openDocumentTables(database: Database, writer: DocumentWriter = writeHere(database)): DocumentTables {
  database.exec(TABLES);
  renewSearchTexts(database);
  const kinds = byKind((kind) => prepareTable(database, kind));
  const versions = byKind(() => 0);
  return {
    get<K extends DocumentKind>(kind: K, id: string) {
      const row = kinds[kind].get.get(id);
      return row ? (JSON.parse(row.body) as Documents[K]) : null;
    },
    getMany<K extends DocumentKind>(kind: K, ids: readonly string[]) {
      return kinds[kind].getMany.all(JSON.stringify(ids)).map(({ body }) => JSON.parse(body) as Documents[K]);
    },
    candidates: (kind, words, most) =>
      words.length === 0 ? null : (kinds[kind].index?.candidates(words, most) ?? null),
    async save(documents) {
      const { changed, newer } = await writer.saveDocuments(documents.map(written));
      for (const kind of changed) versions[kind] += 1;
      return newer.map((body) => JSON.parse(body) as AnyDocument);
    },
    async clear() {
      await writer.clearDocuments();
      for (const kind of DOCUMENT_KINDS) versions[kind] += 1;
    },
    versionOf: (kind) => String(versions[kind]),
  };
}

function written(document: AnyDocument): WrittenDocument {
  const { kind, id, version } = document;
  return { kind, id, version, body: JSON.stringify(document), search: searchText(document) };
}

const RENEWED_AT_ONCE = 1_000;

/** Recomputes the search texts if another version of the program, which built them differently, saved them. */
function renewSearchTexts(database: Database): void {
  database.exec('CREATE TABLE IF NOT EXISTS search_texts (version INTEGER NOT NULL) STRICT');
  const saved = database.prepare<[], { version: number }>('SELECT version FROM search_texts').get()?.version;
  if (saved === SEARCH_TEXT_VERSION) return;
  database.transaction(() => {
    for (const kind of SEARCHED) renewKind(database, kind);
    database.exec('DELETE FROM search_texts');
    database.prepare<[number]>('INSERT INTO search_texts (version) VALUES (?)').run(SEARCH_TEXT_VERSION);
  });
}

/**
 * Recomputes the search texts of all documents of one kind. Drops the kind's search index first, because removing the
 * old texts one by one would take minutes. The index is rebuilt when it's next opened.
 */
function renewKind(database: Database, kind: DocumentKind): void {
  const table = tableOf(kind);
  const after = database.prepare<[string, number], { id: string; body: string }>(
    `SELECT id, body FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const update = database.prepare<[string, string]>(`UPDATE ${table} SET search = ${TEXT} WHERE id = ?`);
  dropSearchIndex(database, kind);
  let rows = after.all('', RENEWED_AT_ONCE);
  while (rows.length > 0) {
    for (const { id, body } of rows) update.run(JSON.stringify(searchText(JSON.parse(body) as AnyDocument)), id);
    rows = after.all(rows.at(-1)?.id ?? '', RENEWED_AT_ONCE);
  }
}

function prepareTable(database: Database, kind: DocumentKind) {
  const table = tableOf(kind);
  return {
    index: SEARCHED.includes(kind) ? openSearchIndex(database, kind, table) : null,
    get: database.prepare<[string], { body: string }>(`SELECT body FROM ${table} WHERE id = ?`),
    getMany: database.prepare<[string], { body: string }>(
      `SELECT body FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    ),
  };
}
