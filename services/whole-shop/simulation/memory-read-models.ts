import {
  type Condition,
  columnsOf,
  type Declarations,
  type Query,
  rangeOf,
  textOf,
} from '../../contracts/document-queries.ts';
import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import { DOCUMENT_KINDS, type DocumentKind } from '../../contracts/ids.ts';
import { searchWords } from '../../contracts/search-text.ts';
import type { Position } from '../../engine/read-models/cursor.ts';
import { pageOf, positionOf, sliceOf } from '../../engine/read-models/list-page.ts';
import type { ReadModels, Slice } from '../../engine/read-models/read-models.ts';
import { type ShopDisk, saveIn } from './shop-tables.ts';

export function createMemoryReadModels(disk: ShopDisk, declarations: Declarations): ReadModels {
  const all = <K extends DocumentKind>(kind: K) => [...disk.content.documents[kind].values()] as Documents[K][];
  const versionOf = ({ kind }: Pick<Query, 'kind'>) => String(disk.content.changes[kind]);

  /** Returns the matching documents with their positions, in the query's order. */
  function find<K extends DocumentKind>(query: Query<K>, { limit, after }: Slice = {}) {
    const declaration = declarations[query.kind];
    const sign = query.descending ? -1 : 1;
    const compareTo = (one: Position, other: Position) =>
      sign * (compare(one.key, other.key) || compare(one.id, other.id));
    return all(query.kind)
      .filter((document) => {
        const columns = columnsOf(declaration, document);
        const text = textOf(declaration, document) ?? '';
        return (
          (query.by === null || columns[query.by] !== null) &&
          Object.entries(query.where).every(([column, condition]) => meets(columns[column] ?? null, condition)) &&
          searchWords(query.text).every((word) => text.includes(word))
        );
      })
      .map((document) => ({ document, position: positionOf(declaration, query, document) }))
      .filter(({ position }) => !after || compareTo(position, after) > 0)
      .sort((one, other) => compareTo(one.position, other.position))
      .slice(0, limit);
  }
  const documentsOf = <K extends DocumentKind>(query: Query<K>, slice?: Slice) =>
    find(query, slice).map(({ document }) => document);

  return {
    get: async <K extends DocumentKind>(kind: K, id: string) =>
      (disk.content.documents[kind].get(id) as Documents[K] | undefined) ?? null,
    getMany: async (kind, ids) =>
      all(kind)
        .filter(({ id }) => ids.includes(id))
        .sort((one, other) => compare(one.id, other.id)),
    async save(documents) {
      const saved = documents.map((document) => JSON.parse(JSON.stringify(document)) as AnyDocument);
      return disk.write((tables) => saveIn(tables, saved), 'later');
    },
    find: async (query, slice) => documentsOf(query, slice),
    findIds: async (query, slice) =>
      find(query, slice).map(({ document: { id, version }, position: { key } }) => ({ id, version, key })),
    async page(query, request) {
      const found = documentsOf(query, sliceOf(query, request));
      return pageOf(declarations[query.kind], query, request, found, versionOf(query));
    },
    versionOf: async (query) => versionOf(query),
    count: async (query) => find(query).length,
    async countUpTo(query, most) {
      const count = find(query).length;
      return count > most ? null : count;
    },
    async countByValue(kind) {
      const { counted } = declarations[kind];
      if (!counted) throw new Error(`No column of ${kind} is declared as counted.`);
      const values = all(kind).map((document) => columnsOf(declarations[kind], document)[counted.column]);
      return Object.fromEntries(counted.values.map((value) => [value, values.filter((one) => one === value).length]));
    },
    sum: async (query, column) =>
      documentsOf(query).reduce(
        (sum, document) => sum + Number(columnsOf(declarations[query.kind], document)[column]),
        0,
      ),
    async clear() {
      disk.write((tables) => {
        for (const kind of DOCUMENT_KINDS) {
          tables.documents[kind].clear();
          tables.changes[kind] += 1;
        }
      });
    },
  };
}

function meets(value: string | number | true | null, condition: Condition): boolean {
  if (typeof condition !== 'object') return value === condition;
  if ('in' in condition) return condition.in.some((one) => one === value);
  const { from, before, upTo } = rangeOf(condition) ?? {};
  if (value === null || value === true) return false;
  return (
    (from === undefined || compare(value, from) >= 0) &&
    (before === undefined || compare(value, before) < 0) &&
    (upTo === undefined || compare(value, upTo) <= 0)
  );
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : one > other ? 1 : 0;
}
