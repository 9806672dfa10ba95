import { type Condition, type Declarations, type Query, rangeOf } from '../../contracts/document-queries.ts';
import type { Documents } from '../../contracts/documents.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import { searchWords } from '../../contracts/search-text.ts';
import type { Position } from '../../engine/read-models/cursor.ts';
import { pageOf, sliceOf } from '../../engine/read-models/list-page.ts';
import type { ReadModels, Slice, VersionedId } from '../../engine/read-models/read-models.ts';
import { type Database, type Statement, TEXT } from '../../runtime/sqlite.ts';
import { type DocumentTables, type DocumentWriter, indexName, openDocumentTables } from './sqlite-document-tables.ts';
import { createCountByValue } from './sqlite-value-counts.ts';
import { tableOf } from './sqlite-writes.ts';

/** A part of a statement, and the values of its placeholders. */
interface Sql {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/**
 * The maximum number of search candidates to look up one by one. If there are more, it's faster to read through the
 * list until enough matches are found.
 */
const MOST_CANDIDATES = 4_000;

export function createSqliteReadModels({
  database,
  declarations,
  writer,
}: {
  readonly database: Database;
  readonly declarations: Declarations;
  readonly writer?: DocumentWriter;
}): ReadModels {
  const tables = openDocumentTables(database, declarations, writer);
  const select = createSelect(database, tables);
  const countByValue = createCountByValue(database, declarations, tables);

  function find<K extends DocumentKind>(query: Query<K>, slice: Slice = {}): Documents[K][] {
    return select<{ body: string }>('body', query, slice).map(({ body }) => JSON.parse(body) as Documents[K]);
  }

  function aggregate(expression: string, query: Query): number {
    return select<{ value: number }>(`${expression} AS value`, query, null)[0]?.value ?? 0;
  }

  return {
    get: async (kind, id) => tables.get(kind, id),
    getMany: async (kind, ids) => tables.getMany(kind, ids),
    save: (documents) => tables.save(documents),
    find: async (query, slice) => find(query, slice),
    findIds: async (query, slice) =>
      select<VersionedId & Position>(
        `id, version, ${query.by === null ? "''" : column(query.by)} AS key`,
        query,
        slice ?? {},
      ),
    async page(query, request) {
      const found = find(query, sliceOf(query, request));
      return pageOf(declarations[query.kind], query, request, found, tables.versionOf(query.kind));
    },
    versionOf: async ({ kind }) => tables.versionOf(kind),
    count: async (query) => aggregate('count(*)', query),
    async countUpTo(query, most) {
      const words = searchWords(query.text);
      // If the search index can't narrow the documents down, counts only among the query's other conditions.
      const isNarrow = words.length === 0 || tables.candidates(query.kind, words, most) !== null;
      const count =
        isNarrow || aggregate('count(*)', { ...query, text: '' }) <= most ? aggregate('count(*)', query) : most + 1;
      return count > most ? null : count;
    },
    countByValue: async (kind) => countByValue(kind),
    sum: async (query, name) => aggregate(`total(${column(name)})`, query),
    clear: () => tables.clear(),
  };
}

/**
 * Returns a function that selects rows, or that aggregates them if the slice is null. Each distinct SQL statement is
 * prepared once. Unless a search has narrowed the documents down, the statement names the query's index, because SQLite
 * doesn't know which of two indexes is the more selective one.
 */
function createSelect(database: Database, tables: Pick<DocumentTables, 'candidates'>) {
  const statements = new Map<string, Statement<(string | number)[], unknown>>();
  return <Row>(selected: string, query: Query, slice: Slice | null): Row[] => {
    const { kind, by, descending, index } = query;
    const candidates = tables.candidates(kind, searchWords(query.text), MOST_CANDIDATES);
    const conditions = conditionsOf(query, slice?.after);
    const where = conditions.length > 0 ? `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}` : '';
    const direction = descending ? 'DESC' : 'ASC';
    const sorted = by === null ? `id ${direction}` : `${column(by)} ${direction}, id ${direction}`;
    const order = slice === null ? '' : `ORDER BY ${sorted} LIMIT ?`;
    // CROSS JOIN makes SQLite look up the search candidates one by one, whatever the sort order.
    const among = candidates ? '(SELECT value AS candidate FROM json_each(?)) CROSS JOIN ' : '';
    const how = candidates ? 'ON id = candidate' : index.length > 0 ? `INDEXED BY ${indexName(kind, index)}` : '';
    const sql = `SELECT ${selected} FROM ${among}${tableOf(kind)} ${how} ${where} ${order}`;
    const statement = statements.get(sql) ?? database.prepare<(string | number)[]>(sql);
    statements.set(sql, statement);
    return statement.all(
      ...(candidates ? [JSON.stringify(candidates)] : []),
      ...conditions.flatMap(({ values }) => values),
      ...(slice ? [slice.limit ?? -1] : []),
    ) as Row[];
  };
}

function conditionsOf({ where, text, by, descending, index }: Query, after: Position | undefined): Sql[] {
  const [first] = index;
  return [
    // SQLite uses a partial index only if the statement contains the index's condition.
    ...(first === undefined ? [] : [{ sql: `${column(first)} IS NOT NULL`, values: [] }]),
    ...Object.entries(where).flatMap(([name, condition]) => sqlOf(column(name), condition)),
    // instr() has no wildcards, unlike LIKE.
    ...searchWords(text).map((word) => ({ sql: `instr(search, ${TEXT}) > 0`, values: [JSON.stringify(word)] })),
    ...(after ? [afterPosition(by, descending ? '<' : '>', after)] : []),
  ];
}

function afterPosition(by: string | null, beyond: '<' | '>', { key, id }: Position): Sql {
  if (by === null) return { sql: `id ${beyond} ?`, values: [id] };
  return { sql: `(${column(by)}, id) ${beyond} (${TEXT}, ?)`, values: [JSON.stringify(key), id] };
}

function sqlOf(name: string, condition: Condition): Sql[] {
  if (condition === true) return [{ sql: `${name} = 1`, values: [] }];
  if (typeof condition !== 'object') return [{ sql: `${name} = ${TEXT}`, values: [JSON.stringify(condition)] }];
  if ('in' in condition) {
    return [{ sql: `${name} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(condition.in)] }];
  }
  const { from, before, upTo } = rangeOf(condition) ?? {};
  const bounds = [
    ['>=', from],
    ['<', before],
    ['<=', upTo],
  ] as const;
  return bounds.flatMap(([operator, bound]) =>
    bound === undefined ? [] : [{ sql: `${name} ${operator} ${TEXT}`, values: [JSON.stringify(bound)] }],
  );
}

const column = (name: string) => `"${name}"`;
