import { columnsOf, type Declaration, type Declarations, textOf, withId } from '../../contracts/document-queries.ts';
import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import { DOCUMENT_KINDS, type DocumentKind } from '../../contracts/ids.ts';
import { byKind } from '../../engine/read-models/by-kind.ts';
import type { Database } from '../../runtime/sqlite.ts';
import { dropSearchIndex, openSearchIndex } from './sqlite-search-index.ts';
import { type ShopWriter, shopWrites, tableOf, type WrittenDocument, writeHere } from './sqlite-writes.ts';

export type DocumentWriter = Pick<ShopWriter, 'saveDocuments' | 'clearDocuments'>;

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

/** Opens one table per kind of document, with the document as JSON and its declared columns. */
export function openDocumentTables(
  database: Database,
  declarations: Declarations,
  writer: DocumentWriter = writeHere(database),
): DocumentTables {
  database.exec('CREATE TABLE IF NOT EXISTS declarations (kind TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT');
  for (const kind of DOCUMENT_KINDS) createTable(database, kind, declarations[kind]);
  const kinds = byKind((kind) => prepareTable(database, kind, declarations[kind]));
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
      const written = documents.map((document) => writtenDocument(declarations[document.kind], document));
      const { changed, newer } = await writer.saveDocuments(written);
      for (const kind of changed) versions[kind] += 1;
      return newer.map((body) => JSON.parse(body) as AnyDocument);
    },
    async clear() {
      await writer.clearDocuments(DOCUMENT_KINDS.filter((kind) => declarations[kind].text));
      for (const kind of DOCUMENT_KINDS) versions[kind] += 1;
    },
    versionOf: (kind) => String(versions[kind]),
  };
}

function writtenDocument<K extends DocumentKind>(declaration: Declaration<K>, document: Documents[K]): WrittenDocument {
  const { kind, id, version } = document;
  const search = textOf(declaration, document);
  return { kind, id, version, columns: columnsOf(declaration, document), body: JSON.stringify(document), search };
}

const COPIED_AT_ONCE = 1_000;

/**
 * Creates the table, the indexes and the search index of one kind of document. If another version of the declaration
 * created them, creates them again and copies the documents.
 */
function createTable<K extends DocumentKind>(database: Database, kind: K, declaration: Declaration<K>): void {
  const { version, indexes } = declaration;
  const created = database.prepare<[string], { version: number }>('SELECT version FROM declarations WHERE kind = ?');
  if (created.get(kind)?.version === version) return;
  const table = tableOf(kind);
  const old = `old_${table}`;
  database.transaction(() => {
    const exists = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
    dropSearchIndex(database, kind);
    if (exists) database.exec(`ALTER TABLE ${table} RENAME TO ${old}`);
    // The body comes last, so that the other columns can be read without the pages that a long body takes.
    const columns = Object.keys(declaration.columns).map((name) => `"${name}" ANY, `);
    database.exec(
      `CREATE TABLE ${table} (id TEXT PRIMARY KEY, version INTEGER NOT NULL, ${columns.join('')}search TEXT, body TEXT NOT NULL) STRICT`,
    );
    if (declaration.text) openSearchIndex(database, kind);
    if (exists) {
      copyDocuments(database, old, declaration);
      database.exec(`DROP TABLE ${old}`);
    }
    for (const index of indexes) {
      const indexed = withId(index).map((name) => `"${name}"`);
      database.exec(
        `CREATE INDEX ${indexName(kind, index)} ON ${table} (${indexed.join()}) WHERE ${indexed[0]} IS NOT NULL`,
      );
    }
    database.prepare<[string, number]>('INSERT OR REPLACE INTO declarations VALUES (?, ?)').run(kind, version);
  });
}

function copyDocuments<K extends DocumentKind>(database: Database, from: string, declaration: Declaration<K>): void {
  const { saveDocuments } = shopWrites(database);
  const after = database.prepare<[string, number], { id: string; body: string }>(
    `SELECT id, body FROM ${from} WHERE id > ? ORDER BY id LIMIT ?`,
  );
  let rows = after.all('', COPIED_AT_ONCE);
  while (rows.length > 0) {
    saveDocuments(rows.map(({ body }) => writtenDocument(declaration, JSON.parse(body) as Documents[K])));
    rows = after.all(rows.at(-1)?.id ?? '', COPIED_AT_ONCE);
  }
}

export function indexName(kind: DocumentKind, index: readonly string[]): string {
  return `${kind}_by_${index.join('_')}`;
}

function prepareTable(database: Database, kind: DocumentKind, { text }: Declaration) {
  const table = tableOf(kind);
  return {
    index: text ? openSearchIndex(database, kind) : null,
    get: database.prepare<[string], { body: string }>(`SELECT body FROM ${table} WHERE id = ?`),
    getMany: database.prepare<[string], { body: string }>(
      `SELECT body FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    ),
  };
}
