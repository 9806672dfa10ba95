import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import { DOCUMENT_KINDS, type DocumentKind } from '../../contracts/ids.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import { isLowStock } from '../../contracts/product/stock.ts';
import { searchWords } from '../../contracts/search-text.ts';
import { pageOf, startOfPage } from '../../engine/read-models/list-page.ts';
import {
  type ListKind,
  type ListRequests,
  MOST_COUNTED,
  type MoneyRequest,
  type ReadModels,
} from '../../engine/read-models/read-models.ts';
import { searchText } from '../../engine/read-models/search-text.ts';
import { type ShopDisk, saveIn } from './shop-tables.ts';

const DAY_MS = 86_400_000;

export function createMemoryReadModels(disk: ShopDisk): ReadModels {
  const all = <K extends DocumentKind>(kind: K) => [...disk.content.documents[kind].values()] as Documents[K][];
  const sorted = <D extends AnyDocument>(documents: D[], keyOf: (document: D) => string) =>
    documents.sort((one, other) => compare(keyOf(one), keyOf(other)) || compare(one.id, other.id));
  const listed = () => all('product').filter(({ removed }) => !removed);
  const versionOf = (kind: DocumentKind) => String(disk.content.changes[kind]);
  const paidSince = (time: string) => all('order').filter(({ paidAt }) => paidAt !== null && paidAt >= time);

  function list<K extends ListKind>(kind: K, request: ListRequests[K] & { readonly q?: string | undefined }) {
    const { order, after, limit } = startOfPage(kind, request);
    const sign = order.direction === 'ascending' ? 1 : -1;
    const compareTo = (one: Documents[K], { key, id }: { key: string | number; id: string }) =>
      sign * (compare(order.keyOf(one), key) || compare(one.id, id));
    const found = all(kind)
      .filter((document) => FILTERS[kind](document as never, request) && isFound(document, request.q))
      .filter((document) => !after || compareTo(document, after) > 0)
      .sort((one, other) => compareTo(one, { key: order.keyOf(other), id: other.id }));
    return pageOf(kind, request, found.slice(0, limit), versionOf(kind));
  }

  function count(status: OrderDocument['status'], q: string): number | null {
    const found = all('order').filter((order) => order.status === status && isFound(order, q)).length;
    return q !== '' && found > MOST_COUNTED ? null : found;
  }

  return {
    get: async <K extends DocumentKind>(kind: K, id: string) =>
      (disk.content.documents[kind].get(id) as Documents[K] | undefined) ?? null,
    getMany: async (kind, ids) =>
      sorted(
        all(kind).filter(({ id }) => ids.includes(id)),
        () => '',
      ),
    async save(documents) {
      const saved = documents.map((document) => JSON.parse(JSON.stringify(document)) as AnyDocument);
      return disk.write((tables) => saveIn(tables, saved), 'later');
    },
    listOrders: async (request) => list('order', request),
    async countOrders(q = '') {
      const [unpaid, paid, shipped] = [count('unpaid', q), count('paid', q), count('shipped', q)];
      const sum = unpaid === null || paid === null || shipped === null ? null : unpaid + paid + shipped;
      return { all: sum, unpaid, paid, shipped };
    },
    ordersPlacedBetween: async (times) =>
      times.slice(1).map((until, index) => {
        const from = times[index] ?? until;
        return all('order').filter((order) => isActive(order) && order.createdAt >= from && order.createdAt < until)
          .length;
      }),
    totalPaidSince: async (time) => Math.floor(paidSince(time).reduce((sum, { total, kept = total }) => sum + kept, 0)),
    listProducts: async (request) => list('product', request),
    listUsers: async (request) => list('user', request),
    listReviews: async (request) => list('review', request),
    versionOf: async (kind) => versionOf(kind),
    productIds: async (limit) =>
      sorted(listed(), ({ createdAt }) => createdAt)
        .reverse()
        .slice(0, limit)
        .map(({ id }) => id),
    productsNamed: async (name) =>
      sorted(
        listed().filter((product) => product.name === name),
        () => '',
      ),
    countLowStock: async () => listed().filter(isLowStock).length,
    async ordersToExpire(time, limit) {
      const due = all('order').filter(({ status, expiresAt }) => status === 'unpaid' && (expiresAt ?? '~') <= time);
      return sorted(due, ({ expiresAt }) => expiresAt ?? '').slice(0, limit);
    },
    async ordersWithDueWork(placedBy, afterId, limit) {
      const due = all('order').filter(({ id, owes, status, createdAt }) => {
        const isOwing = owes.intents.length + owes.refunds.length > 0;
        return id > afterId && isOwing && (status !== 'unpaid' || createdAt <= placedBy);
      });
      return sorted(due, () => '')
        .slice(0, limit)
        .map(({ id, version }) => ({ id, version }));
    },
    async shippedInADay(since, now) {
      const hours = paidSince(since).map(({ paidAt, shippedAt }) => ({
        took: shippedAt === null ? null : Date.parse(shippedAt) - Date.parse(paidAt ?? ''),
        age: Date.parse(now) - Date.parse(paidAt ?? ''),
      }));
      const inTime = hours.filter(({ took }) => took !== null && took <= DAY_MS).length;
      return { orders: hours.filter(({ took, age }) => took !== null || age > DAY_MS).length, inTime };
    },
    async mailsToSend(time, limit) {
      const due = all('mail').filter(({ claimedUntil }) => claimedUntil !== null && claimedUntil <= time);
      return sorted(due, ({ claimedUntil }) => claimedUntil ?? '').slice(0, limit);
    },
    ordersWithMoney: async (request) => between(all('order'), ({ paidAt }) => paidAt ?? undefined, request),
    balances: async (request) => between(all('balance'), ({ createdAt }) => createdAt, request),
    balancesOf: async (intents) =>
      sorted(
        all('balance').filter(({ intent }) => intent !== null && intents.includes(intent)),
        ({ createdAt }) => createdAt,
      ),
    adminIds: async () =>
      sorted(
        all('user').filter(({ role }) => role === 'admin'),
        () => '',
      ).map(({ id }) => id),
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

function between<D extends AnyDocument>(
  documents: readonly D[],
  timeOf: (document: D) => string | undefined,
  { from, to, after, limit }: MoneyRequest,
): D[] {
  const isAfter = (at: string, id: string) => !after || at > after.at || (at === after.at && id > after.id);
  const found = documents.filter((document) => {
    const at = timeOf(document);
    return at !== undefined && at >= from && at < to && isAfter(at, document.id);
  });
  const keyOf = (document: D) => timeOf(document) ?? '';
  return found.sort((one, other) => compare(keyOf(one), keyOf(other)) || compare(one.id, other.id)).slice(0, limit);
}

const FILTERS: { readonly [K in ListKind]: (document: Documents[K], request: ListRequests[K]) => boolean } = {
  order: (order, { customer, status }) =>
    (status === undefined ? isActive(order) : order.status === status) &&
    (customer === undefined || order.customer === customer),
  product: (product, { inStock, stock }) =>
    !product.removed &&
    (inStock === undefined || product.quantity > 0 === inStock) &&
    (stock === undefined || isLowStock(product)),
  user: ({ closed }) => closed === undefined,
  review: (review, { name }) => name === undefined || review.name === name,
};

const isActive = ({ status }: OrderDocument) => status !== 'cancelled';

function isFound(document: AnyDocument, q = ''): boolean {
  const text = searchText(document);
  return searchWords(q).every((word) => text.includes(word));
}

function compare<T extends string | number>(one: T, other: T): number {
  if (typeof one === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : one > other ? 1 : 0;
}
