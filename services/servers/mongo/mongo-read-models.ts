import { createHash } from 'node:crypto';
import type { Collection, CountDocumentsOptions, Db, Filter, FindOptions } from 'mongodb';
import {
  type Condition,
  type CountedColumn,
  type Declarations,
  type Query,
  rangeOf,
} from '../../contracts/document-queries.ts';
import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import { searchWords } from '../../contracts/search-text.ts';
import { byKind } from '../../engine/read-models/by-kind.ts';
import type { Position } from '../../engine/read-models/cursor.ts';
import { pageOf, sliceOf } from '../../engine/read-models/list-page.ts';
import type { PageRequest, ReadModels, Slice, VersionedId } from '../../engine/read-models/read-models.ts';
import { createSearchQueue } from '../../engine/read-models/search-queue.ts';
import { endingPrefix, LAST_CHARACTER } from '../../engine/read-models/search-text.ts';
import { fieldOf, openDocumentCollections } from './mongo-document-collections.ts';
import { AS_SAVED, type KeptDocument } from './mongo-kept-document.ts';
import { createSettledCount } from './mongo-settled-count.ts';

/**
 * How many searches may run, and how many may wait, in each process. The rest of the connection pool is left to other
 * requests.
 */
const SEARCHES = { atOnce: 8, waiting: 64 };
const LONGEST_SEARCH_MS = 1_000;
const LONGEST_COUNT_MS = 1_000;

export async function createMongoReadModels({
  db,
  declarations,
}: {
  readonly db: Db;
  readonly declarations: Declarations;
}): Promise<ReadModels> {
  const collections = await openDocumentCollections(db, declarations);
  const searches = createSearchQueue(SEARCHES);
  const valueCounts = byKind((kind) => createCountByValue(collections.of(kind), declarations[kind].counted));

  /** Runs a query. If it is a search, the query waits for its turn and has a time limit. */
  function run<T>({ text }: Query, send: (limits: Pick<FindOptions, 'maxTimeMS'>) => Promise<T>): Promise<T> {
    return text === '' ? send({}) : searches.run(() => send({ maxTimeMS: LONGEST_SEARCH_MS }));
  }

  function find<D extends object>(
    query: Query,
    { limit, after }: Slice,
    projection: FindOptions['projection'],
  ): Promise<D[]> {
    const direction = query.descending ? -1 : 1;
    const sort = { ...(query.by !== null && { [fieldOf(query.by)]: direction }), _id: direction } as const;
    const options = { projection, sort, ...(limit !== undefined && { limit }) };
    const filter = after ? { $and: [filterOf(query), beyond(query, after)] } : filterOf(query);
    return run(query, (limits) =>
      collections
        .of(query.kind)
        .find<D>(filter, { ...options, ...limits })
        .toArray(),
    );
  }

  function count(query: Query, options: CountDocumentsOptions): Promise<number> {
    return run(query, (limits) =>
      collections.of(query.kind).countDocuments(filterOf(query), { ...options, ...limits }),
    );
  }

  return {
    get: collections.get,
    getMany: collections.getMany,
    save: collections.save,
    find: <K extends DocumentKind>(query: Query<K>, slice: Slice = {}) => find<Documents[K]>(query, slice, AS_SAVED),
    async findIds(query, slice = {}) {
      const { by } = query;
      const projection = { _id: 1, version: 1, ...(by !== null && { [fieldOf(by)]: 1 }) };
      const found = await find<Pick<KeptDocument, '_id' | 'version' | 'computed'>>(query, slice, projection);
      return found.map(({ _id, version, computed }) => {
        const key = by === null ? '' : computed.columns[by];
        return { id: _id, version, key: typeof key === 'number' ? key : String(key) };
      });
    },
    async page<K extends DocumentKind>(query: Query<K>, request: PageRequest) {
      const found = await find<Documents[K]>(query, sliceOf(query, request), AS_SAVED);
      return pageOf(declarations[query.kind], query, request, found, hashOf(found));
    },
    versionOf: async (query, request) =>
      hashOf(await find<VersionedId>(query, sliceOf(query, request), { _id: 0, id: 1, version: 1 })),
    count: (query) => count(query, {}),
    async countUpTo(query, most) {
      const counted = await count(query, { limit: most + 1 });
      return counted > most ? null : counted;
    },
    async countByValue(kind) {
      const counts = await valueCounts[kind]?.count();
      if (!counts) throw new Error(`No column of ${kind} is declared as counted.`);
      return counts;
    },
    async sum(query, column) {
      const stages = [{ $match: filterOf(query) }, { $group: { _id: null, sum: { $sum: `$${fieldOf(column)}` } } }];
      const [group] = await collections.of(query.kind).aggregate<{ sum: number }>(stages).toArray();
      return group?.sum ?? 0;
    },
    async clear() {
      await collections.clear();
      for (const counts of Object.values(valueCounts)) counts?.forget();
    },
  };
}

/** Returns a function that counts the documents with each value of a column. */
function createCountByValue(collection: Collection<KeptDocument>, counted: CountedColumn | undefined) {
  if (!counted) return null;
  const [column, since] = [fieldOf(counted.column), fieldOf(counted.since)];
  const others = counted.values.filter((value) => value !== counted.most);
  const most = { [column]: counted.most };
  const settled = createSettledCount({
    settledAfterMs: counted.settledAfterMs,
    async newest() {
      const [newest] = await collection.find(most, { sort: { [since]: -1 }, limit: 1 }).toArray();
      return String(newest?.computed.columns[counted.since] ?? '') || null;
    },
    count({ before, since: from }, maxTimeMS) {
      const range = { ...(before && { $lt: before }), ...(from && { $gte: from }) };
      return collection.countDocuments(before || from ? { ...most, [since]: range } : most, { maxTimeMS });
    },
  });
  return {
    async count() {
      const maxTimeMS = LONGEST_COUNT_MS;
      const counts = [
        settled.count().then((count) => [counted.most, count] as const),
        ...others.map(
          async (value) => [value, await collection.countDocuments({ [column]: value }, { maxTimeMS })] as const,
        ),
      ];
      return Object.fromEntries(await Promise.all(counts));
    },
    forget: settled.forget,
  };
}

/**
 * Returns a hash of the ids and versions of a page's documents. The hash identifies the page's content, because each
 * document is fully determined by its events up to its version (PRJ3).
 */
function hashOf(documents: readonly Pick<AnyDocument, 'id' | 'version'>[]): string {
  const named = documents.map(({ id, version }) => `${id} ${version}`).join();
  return createHash('sha256').update(named).digest('base64');
}

function filterOf({ where, text, index }: Query): Filter<KeptDocument> {
  const [first] = index;
  const conditions = [
    // MongoDB uses a partial index only if the filter implies the index's condition.
    ...(first === undefined ? [] : [{ [fieldOf(first)]: { $exists: true } }]),
    ...Object.entries(where).map(([column, condition]) => ({ [fieldOf(column)]: matching(condition) })),
    ...searchConditions(text),
  ];
  return conditions.length > 0 ? { $and: conditions } : {};
}

function matching(condition: Condition) {
  if (typeof condition !== 'object') return condition;
  if ('in' in condition) return { $in: [...condition.in] };
  const { from, before, upTo } = rangeOf(condition) ?? {};
  return {
    ...(from !== undefined && { $gte: from }),
    ...(before !== undefined && { $lt: before }),
    ...(upTo !== undefined && { $lte: upTo }),
  };
}

/**
 * MongoDB can use the search index for only one word of a query. The longest word comes first, because it probably
 * occurs in the fewest documents.
 */
function searchConditions(text: string): Filter<KeptDocument>[] {
  const words = searchWords(text).sort((one, other) => other.length - one.length);
  return words.flatMap((word): Filter<KeptDocument>[] => {
    const { prefix, whole } = endingPrefix(word);
    // $elemMatch applies $gte and $lt to the same array element, so MongoDB can use both to narrow the index scan.
    const begins = { 'computed.endings': { $elemMatch: { $gte: prefix, $lt: `${prefix}${LAST_CHARACTER}` } } };
    return whole ? [begins] : [begins, { 'computed.search': { $regex: literally(word) } }];
  });
}

/**
 * Escapes text for use in a regular expression. Null characters are escaped too, because MongoDB rejects them in
 * patterns.
 */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}

/**
 * Selects the documents after a position in a query's results. The bound outside `$or` lets MongoDB use the query's
 * index.
 */
function beyond({ by, descending }: Query, { key, id }: Position): Filter<KeptDocument> {
  const [further, from] = descending ? ['$lt', '$lte'] : ['$gt', '$gte'];
  if (by === null) return { _id: { [further]: id } } as Filter<KeptDocument>;
  const field = fieldOf(by);
  return {
    [field]: { [from]: key },
    $or: [{ [field]: { [further]: key } }, { [field]: key, _id: { [further]: id } }],
  } as Filter<KeptDocument>;
}
