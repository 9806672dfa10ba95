import { createHash } from 'node:crypto';
import type { Db, Filter, Sort } from 'mongodb';
import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import { searchWords } from '../../contracts/search-text.ts';
import { ENOUGH_ORDERS, ENOUGH_STOCK } from '../../contracts/stock.ts';
import type { Position } from '../../engine/read-models/cursor.ts';
import { pageOf, startOfPage } from '../../engine/read-models/list-page.ts';
import {
  type KeptLists,
  MOST_COUNTED,
  type OrderListRequest,
  type Page,
  type PageRequest,
  type ProductListRequest,
  type ReadModels,
  type ReviewListRequest,
  type UserListRequest,
} from '../../engine/read-models/read-models.ts';
import { createSearchQueue } from '../../engine/read-models/search-queue.ts';
import { endingPrefix, LAST_CHARACTER } from '../../engine/read-models/search-text.ts';
import { byCreation, productOrder, type SortOrder } from '../../engine/read-models/sort-order.ts';
import { openDocumentCollections } from './mongo-document-collections.ts';
import type { KeptDocument } from './mongo-kept-document.ts';
import { createShippedCount } from './mongo-shipped-count.ts';

const BY_ID = { _id: 1 } as const;
/** Per process; the pool's other connections are for everything else. */
const SEARCHES = { atOnce: 8, waiting: 64 };
const LONGEST_SEARCH_MS = 1_000;

export async function createMongoReadModels({ db }: { db: Db }): Promise<ReadModels> {
  const collections = await openDocumentCollections(db);
  const searches = createSearchQueue(SEARCHES);

  async function list<K extends DocumentKind>(
    kind: K,
    order: SortOrder<K>,
    request: PageRequest & { readonly q?: string | undefined },
    filter: Filter<KeptDocument> = {},
  ): Promise<Page<Documents[K]>> {
    const { after, limit } = startOfPage(kind, order, request);
    const further = after ? beyond(order, after) : {};
    const find = (maxTimeMS?: number) =>
      collections.find(kind, { ...filter, ...further }, sortBy(order), limit, maxTimeMS);
    const found = await (request.q ? searches.run(() => find(LONGEST_SEARCH_MS)) : find());
    return pageOf(kind, order, request, found, versionOf(found));
  }

  async function versionOfPage<K extends DocumentKind>(
    kind: K,
    order: SortOrder<K>,
    request: PageRequest,
    filter: Filter<KeptDocument>,
  ): Promise<string> {
    const { after, limit } = startOfPage(kind, order, request);
    const further = after ? beyond(order, after) : {};
    return versionOf(await collections.versions(kind, { ...filter, ...further }, sortBy(order), limit));
  }

  const versionsOf: { [K in keyof KeptLists]: (request: KeptLists[K]) => Promise<string> } = {
    order: (request) => versionOfPage('order', byCreation<'order'>(request), request, orderFilter(request)),
    product: (request) => versionOfPage('product', productOrder(request), request, productFilter(request)),
    review: (request) => versionOfPage('review', byCreation<'review'>(request), request, reviewFilter(request)),
  };

  const shipped = createShippedCount({
    async newestShippedAt() {
      const [newest] = await collections.find('order', SHIPPED, { shippedAt: -1 }, 1);
      return newest?.shippedAt ?? null;
    },
    count({ before, since }, maxTimeMS) {
      const shippedAt = { ...(before && { $lt: before }), ...(since && { $gte: since }) };
      return collections.count('order', before || since ? { ...SHIPPED, shippedAt } : SHIPPED, { maxTimeMS });
    },
  });

  /** Null for more than `MOST_COUNTED` that a search finds. */
  async function countOfStatus(status: string, q: string): Promise<number | null> {
    if (q === '') {
      return status === 'shipped'
        ? shipped.count()
        : collections.count('order', { status }, { maxTimeMS: LONGEST_SEARCH_MS });
    }
    const limits = { limit: MOST_COUNTED + 1, maxTimeMS: LONGEST_SEARCH_MS };
    const count = await searches.run(() => collections.count('order', { status, ...searchFilter(q) }, limits));
    return count > MOST_COUNTED ? null : count;
  }

  return {
    get: collections.get,
    getMany: collections.getMany,
    save: collections.save,
    listOrders: async (request) => list('order', byCreation<'order'>(request), request, orderFilter(request)),
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
          return collections.count('order', { 'computed.listed': true, createdAt });
        }),
      ),
    totalPaidSince: (time) => collections.sum('order', paidSince(time), 'total'),
    listProducts: async (request) => list('product', productOrder(request), request, productFilter(request)),
    listUsers: async (request) => list('user', byCreation<'user'>(request), request, userFilter(request)),
    listReviews: async (request) => list('review', byCreation<'review'>(request), request, reviewFilter(request)),
    versionOf: async (kind, request) => versionsOf[kind](request),
    productIds: (limit) => collections.ids('product', { removed: false }, { createdAt: -1, _id: -1 }, limit),
    productsNamed: (name) => collections.find('product', { removed: false, name }, BY_ID),
    countLowStock: () => collections.count('product', { removed: false, ...LOW_STOCK }),
    ordersToExpire: (time, limit) =>
      collections.find('order', { status: 'unpaid', expiresAt: { $lte: time } }, { expiresAt: 1, _id: 1 }, limit),
    ordersOwing(placedBy, afterId, limit) {
      const isDue = { $or: [{ status: { $ne: 'unpaid' } }, { createdAt: { $lte: placedBy } }] };
      return collections.versions('order', { 'computed.owing': true, _id: { $gt: afterId }, ...isDue }, BY_ID, limit);
    },
    async shippedInADay(since, now) {
      const [orders, inTime] = await Promise.all([
        collections.count('order', { ...paidSince(since), ...isDecided(now) }),
        collections.count('order', { ...paidSince(since), ...SHIPPED_IN_A_DAY }),
      ]);
      return { orders, inTime };
    },
    mailsToSend: (time, limit) =>
      collections.find('mail', { claimedUntil: { $lte: time } }, { claimedUntil: 1, _id: 1 }, limit),
    adminIds: () => collections.ids('user', { role: 'admin' }, BY_ID),
    async clear() {
      await collections.clear();
      shipped.forget();
    },
    async close() {},
  };
}

/** Names a page by its documents, each at its version, since every one follows from the events up to that version (PRJ3). */
function versionOf(documents: readonly Pick<AnyDocument, 'id' | 'version'>[]): string {
  const named = documents.map(({ id, version }) => `${id} ${version}`).join();
  return createHash('sha256').update(named).digest('base64');
}

const SHIPPED = { status: 'shipped' } as const;
const DAY_MS = 86_400_000;
const isText = { $type: 'string' } as const;
/** Spelt as in the partial index. */
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

/** As isLowStock() has it. */
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

/** Only one word can use the index: the longest is in the fewest documents. */
function searchFilter(q = ''): Filter<KeptDocument> {
  const words = searchWords(q).sort((one, other) => other.length - one.length);
  const conditions = words.flatMap((word): Filter<KeptDocument>[] => {
    const { prefix, whole } = endingPrefix(word);
    // $elemMatch makes both bounds apply to the same element, so the index uses both.
    const begins = { 'computed.endings': { $elemMatch: { $gte: prefix, $lt: `${prefix}${LAST_CHARACTER}` } } };
    return whole ? [begins] : [begins, { 'computed.search': { $regex: literally(word) } }];
  });
  return conditions.length > 0 ? { $and: conditions } : {};
}

/** MongoDB refuses a pattern with a null character in it, but not its escape. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}

function sortBy({ field, direction }: Pick<SortOrder<DocumentKind>, 'field' | 'direction'>): Sort {
  const by = direction === 'ascending' ? 1 : -1;
  return { [field]: by, _id: by };
}

/** The bound beside `$or` is what the index uses. */
function beyond({ field, direction }: Pick<SortOrder<DocumentKind>, 'field' | 'direction'>, { key, id }: Position) {
  const [further, from] = direction === 'ascending' ? ['$gt', '$gte'] : ['$lt', '$lte'];
  return {
    [field]: { [from]: key },
    $or: [{ [field]: { [further]: key } }, { [field]: key, _id: { [further]: id } }],
  };
}
