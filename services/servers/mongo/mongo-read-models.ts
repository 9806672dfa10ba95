import { createHash } from 'node:crypto';
import type { Db, Filter, FindOptions, Sort } from 'mongodb';
import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import { ENOUGH_ORDERS, ENOUGH_STOCK } from '../../contracts/product/stock.ts';
import { searchWords } from '../../contracts/search-text.ts';
import type { Position } from '../../engine/read-models/cursor.ts';
import { pageOf, startOfPage } from '../../engine/read-models/list-page.ts';
import {
  type ListKind,
  type ListRequests,
  MOST_COUNTED,
  type MoneyRequest,
  type OrderListRequest,
  type ProductListRequest,
  type ReadModels,
  type ReviewListRequest,
  type UserListRequest,
  type VersionedId,
} from '../../engine/read-models/read-models.ts';
import { createSearchQueue } from '../../engine/read-models/search-queue.ts';
import { endingPrefix, LAST_CHARACTER } from '../../engine/read-models/search-text.ts';
import type { SortOrder } from '../../engine/read-models/sort-order.ts';
import { openDocumentCollections } from './mongo-document-collections.ts';
import { AS_SAVED, type KeptDocument } from './mongo-kept-document.ts';
import { createShippedCount } from './mongo-shipped-count.ts';

const BY_ID = { _id: 1 } as const;
const VERSIONED = { _id: 0, id: 1, version: 1 } as const;
/**
 * How many searches may run, and how many may wait, in each process. The rest of the connection pool is left to other
 * requests.
 */
const SEARCHES = { atOnce: 8, waiting: 64 };
const LONGEST_SEARCH_MS = 1_000;

export async function createMongoReadModels({ db }: { db: Db }): Promise<ReadModels> {
  const collections = await openDocumentCollections(db);
  const orders = collections.of('order');
  const searches = createSearchQueue(SEARCHES);

  function findPage<K extends ListKind, D extends VersionedId>(
    kind: K,
    request: ListRequests[K],
    options: FindOptions,
  ) {
    const { order, after, limit } = startOfPage(kind, request);
    const filter = { ...FILTERS[kind](request), ...(after && beyond(order, after)) };
    return collections
      .of(kind)
      .find<D>(filter, { sort: sortBy(order), limit, ...options })
      .toArray();
  }

  async function list<K extends ListKind>(kind: K, request: ListRequests[K] & { readonly q?: string | undefined }) {
    const find = (options: FindOptions) =>
      findPage<K, Documents[K]>(kind, request, { projection: AS_SAVED, ...options });
    const found = await (request.q ? searches.run(() => find({ maxTimeMS: LONGEST_SEARCH_MS })) : find({}));
    return pageOf(kind, request, found, versionOf(found));
  }

  /** Reads only ids, which MongoDB finds in an index without reading the documents. */
  async function idsOf(kind: DocumentKind, filter: Filter<KeptDocument>, options: FindOptions): Promise<string[]> {
    const found = collections.of(kind).find<{ _id: string }>(filter, { projection: { _id: 1 }, ...options });
    return (await found.toArray()).map(({ _id }) => _id);
  }

  const shipped = createShippedCount({
    async newestShippedAt() {
      const [newest] = await collections.find('order', SHIPPED, { sort: { shippedAt: -1 }, limit: 1 });
      return newest?.shippedAt ?? null;
    },
    count({ before, since }, maxTimeMS) {
      const shippedAt = { ...(before && { $lt: before }), ...(since && { $gte: since }) };
      return orders.countDocuments(before || since ? { ...SHIPPED, shippedAt } : SHIPPED, { maxTimeMS });
    },
  });

  /**
   * Counts the orders with this status that match the search query `q`. Returns null if more than `MOST_COUNTED` orders
   * match a query that isn't empty.
   */
  async function countOfStatus(status: string, q: string): Promise<number | null> {
    if (q === '') {
      return status === 'shipped'
        ? shipped.count()
        : orders.countDocuments({ status }, { maxTimeMS: LONGEST_SEARCH_MS });
    }
    const limits = { limit: MOST_COUNTED + 1, maxTimeMS: LONGEST_SEARCH_MS };
    const count = await searches.run(() => orders.countDocuments({ status, ...searchFilter(q) }, limits));
    return count > MOST_COUNTED ? null : count;
  }

  return {
    get: collections.get,
    getMany: collections.getMany,
    save: collections.save,
    listOrders: (request) => list('order', request),
    async countOrders(q = '') {
      const [unpaid, paid, shipped] = await Promise.all([
        countOfStatus('unpaid', q),
        countOfStatus('paid', q),
        countOfStatus('shipped', q),
      ]);
      const all = unpaid === null || paid === null || shipped === null ? null : unpaid + paid + shipped;
      return { all, unpaid, paid, shipped };
    },
    ordersPlacedBetween: (times) =>
      Promise.all(
        times.slice(1).map((until, index) => {
          const createdAt = { $gte: times[index], $lt: until };
          return orders.countDocuments({ 'computed.listed': true, createdAt });
        }),
      ),
    async totalPaidSince(time) {
      const stages = [
        { $match: paidSince(time) },
        { $group: { _id: null, total: { $sum: { $ifNull: ['$kept', '$total'] } } } },
      ];
      const [group] = await orders.aggregate<{ total: number }>(stages).toArray();
      return Math.floor(group?.total ?? 0);
    },
    listProducts: (request) => list('product', request),
    listUsers: (request) => list('user', request),
    listReviews: (request) => list('review', request),
    versionOf: async (kind, request) => versionOf(await findPage(kind, request, { projection: VERSIONED })),
    productIds: (limit) => idsOf('product', { removed: false }, { sort: { createdAt: -1, _id: -1 }, limit }),
    productsNamed: (name) => collections.find('product', { removed: false, name }, { sort: BY_ID }),
    countLowStock: () => collections.of('product').countDocuments({ removed: false, ...LOW_STOCK }),
    ordersToExpire(time, limit) {
      const filter = { status: 'unpaid', expiresAt: { $lte: time } };
      return collections.find('order', filter, { sort: { expiresAt: 1, _id: 1 }, limit });
    },
    ordersWithDueWork(placedBy, afterId, limit) {
      const isDue = { $or: [{ status: { $ne: 'unpaid' } }, { createdAt: { $lte: placedBy } }] };
      const filter = { 'computed.owing': true, _id: { $gt: afterId }, ...isDue };
      return orders.find<VersionedId>(filter, { projection: VERSIONED, sort: BY_ID, limit }).toArray();
    },
    async shippedInADay(since, now) {
      const [decided, inTime] = await Promise.all([
        orders.countDocuments({ ...paidSince(since), ...isDecided(now) }),
        orders.countDocuments({ ...paidSince(since), ...SHIPPED_IN_A_DAY }),
      ]);
      return { orders: decided, inTime };
    },
    mailsToSend: (time, limit) =>
      collections.find('mail', { claimedUntil: { $lte: time } }, { sort: { claimedUntil: 1, _id: 1 }, limit }),
    ordersWithMoney: ({ limit, ...request }) =>
      collections.find('order', between('paidAt', request), { sort: { paidAt: 1, _id: 1 }, limit }),
    balances: ({ limit, ...request }) =>
      collections.find('balance', between('createdAt', request), { sort: { createdAt: 1, _id: 1 }, limit }),
    balancesOf: (intents) =>
      collections.find('balance', { intent: { $in: [...intents] } }, { sort: { createdAt: 1, _id: 1 } }),
    adminIds: () => idsOf('user', { role: 'admin' }, { sort: BY_ID }),
    async clear() {
      await collections.clear();
      shipped.forget();
    },
  };
}

/**
 * Returns a hash of the ids and versions of a page's documents. The hash identifies the page's content, because each
 * document is fully determined by its events up to its version (PRJ3).
 */
function versionOf(documents: readonly Pick<AnyDocument, 'id' | 'version'>[]): string {
  const named = documents.map(({ id, version }) => `${id} ${version}`).join();
  return createHash('sha256').update(named).digest('base64');
}

/** Returns the filter for one page of the documents whose field lies between two times. */
function between(field: string, { from, to, after }: Omit<MoneyRequest, 'limit'>): Filter<KeptDocument> {
  const range = { [field]: { $gte: from, $lt: to, ...isText } };
  if (!after) return range;
  return { ...range, $or: [{ [field]: { $gt: after.at } }, { [field]: after.at, _id: { $gt: after.id } }] };
}

const SHIPPED = { status: 'shipped' } as const;
const DAY_MS = 86_400_000;
const isText = { $type: 'string' } as const;
/** Repeats the condition of the partial index, because MongoDB wouldn't use that index otherwise. */
const paidSince = (time: string): Filter<KeptDocument> => ({ paidAt: { $gte: time, ...isText } });
const isDecided = (now: string): Filter<KeptDocument> => ({
  $or: [{ shippedAt: isText }, { paidAt: { $lt: new Date(Date.parse(now) - DAY_MS).toISOString() } }],
});
const SHIPPED_IN_A_DAY: Filter<KeptDocument> = {
  shippedAt: isText,
  $expr: { $lte: [{ $subtract: [{ $toDate: '$shippedAt' }, { $toDate: '$paidAt' }] }, DAY_MS] },
};

function orderFilter({ customer, status, q }: OrderListRequest): Filter<KeptDocument> {
  return {
    ...(status === undefined ? { 'computed.listed': true } : { status }),
    ...(customer !== undefined && { customer }),
    ...searchFilter(q),
  };
}

/** The MongoDB equivalent of isLowStock(). */
const LOW_STOCK: Filter<KeptDocument> = {
  $expr: { $lt: ['$quantity', { $max: [ENOUGH_STOCK, { $multiply: [ENOUGH_ORDERS, '$minorder'] }] }] },
};

function productFilter({ inStock, stock, q }: ProductListRequest): Filter<KeptDocument> {
  return {
    removed: false,
    ...(inStock !== undefined && { quantity: inStock ? { $gt: 0 } : 0 }),
    ...(stock === 'low' && LOW_STOCK),
    ...searchFilter(q),
  };
}

function userFilter({ q }: UserListRequest): Filter<KeptDocument> {
  return { closed: { $exists: false }, ...searchFilter(q) };
}

function reviewFilter({ name }: ReviewListRequest): Filter<KeptDocument> {
  return name === undefined ? {} : { name };
}

/**
 * MongoDB can use the search index for only one word of a query. The longest word comes first, because it probably
 * occurs in the fewest documents.
 */
function searchFilter(q = ''): Filter<KeptDocument> {
  const words = searchWords(q).sort((one, other) => other.length - one.length);
  const conditions = words.flatMap((word): Filter<KeptDocument>[] => {
    const { prefix, whole } = endingPrefix(word);
    // $elemMatch applies $gte and $lt to the same array element, so MongoDB can use both to narrow the index scan.
    const begins = { 'computed.endings': { $elemMatch: { $gte: prefix, $lt: `${prefix}${LAST_CHARACTER}` } } };
    return whole ? [begins] : [begins, { 'computed.search': { $regex: literally(word) } }];
  });
  return conditions.length > 0 ? { $and: conditions } : {};
}

/**
 * Escapes text for use in a regular expression. Null characters are escaped too, because MongoDB rejects them in
 * patterns.
 */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}

function sortBy({ field, direction }: Pick<SortOrder<DocumentKind>, 'field' | 'direction'>): Sort {
  const by = direction === 'ascending' ? 1 : -1;
  return { [field]: by, _id: by };
}

/**
 * Selects the documents after a position in a list. The bound outside `$or` lets MongoDB use the index for the list's
 * order.
 */
function beyond({ field, direction }: Pick<SortOrder<DocumentKind>, 'field' | 'direction'>, { key, id }: Position) {
  const [further, from] = direction === 'ascending' ? ['$gt', '$gte'] : ['$lt', '$lte'];
  return {
    [field]: { [from]: key },
    $or: [{ [field]: { [further]: key } }, { [field]: key, _id: { [further]: id } }],
  };
}

const FILTERS: { readonly [K in ListKind]: (request: ListRequests[K]) => Filter<KeptDocument> } = {
  order: orderFilter,
  product: productFilter,
  user: userFilter,
  review: reviewFilter,
};
