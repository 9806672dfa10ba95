import type { Documents } from '../../contracts/documents.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import { searchWords } from '../../contracts/search-text.ts';
import { pageOf, startOfPage } from '../../engine/read-models/list-page.ts';
import type {
  ListKind,
  ListRequests,
  MoneyRequest,
  OrderListRequest,
  ProductListRequest,
  ReadModels,
  ReviewListRequest,
  UserListRequest,
  VersionedId,
} from '../../engine/read-models/read-models.ts';
import type { SortField } from '../../engine/read-models/sort-order.ts';
import { type Database, type Statement, TEXT } from '../../runtime/sqlite.ts';
import {
  CREATED_AT,
  type DocumentWriter,
  KEPT,
  LOW_STOCK,
  OWES,
  openDocumentTables,
  PAID_AT,
  STATUS,
} from './sqlite-document-tables.ts';
import { createOrderCounts } from './sqlite-order-counts.ts';
import { tableOf } from './sqlite-writes.ts';

type Value = string | number;

/** An SQL condition and the values of its placeholders. */
interface Condition {
  readonly sql: string;
  readonly values?: readonly Value[];
}

const COLUMNS: Record<SortField, string> = { createdAt: 'created_at', price: 'price', name: 'name' };

/**
 * The maximum number of search candidates to look up one by one. If there are more, it's faster to read through the
 * list until enough matches are found.
 */
const MOST_CANDIDATES = 4_000;

const SHIPPED_IN_A_DAY = `
  SELECT count(CASE WHEN shipped IS NOT NULL OR unixepoch(?) - paid > 86400 THEN 1 END) AS orders,
    count(CASE WHEN shipped - paid <= 86400 THEN 1 END) AS inTime
  FROM (
    SELECT unixepoch(body ->> '$.paidAt') AS paid, unixepoch(body ->> '$.shippedAt') AS shipped
    FROM order_documents WHERE body ->> '$.paidAt' >= ?
  )`;

export function createSqliteReadModels({
  database,
  writer,
}: {
  readonly database: Database;
  readonly writer?: DocumentWriter;
}): ReadModels {
  const tables = openDocumentTables(database, writer);
  const select = createSelect(database);
  const admins = database.prepare<[], { id: string }>("SELECT id FROM user_documents WHERE role = 'admin' ORDER BY id");
  const shippedInADay = database.prepare<[string, string], { orders: number; inTime: number }>(SHIPPED_IN_A_DAY);

  const countOrders = createOrderCounts(database, tables);
  const placedBetween = database.prepare<[string, string], { count: number }>(
    "SELECT count(*) AS count FROM order_documents WHERE status <> 'cancelled' AND created_at >= ? AND created_at < ?",
  );
  const totalPaid = database.prepare<[string], { total: number }>(
    `SELECT total(${KEPT}) AS total FROM order_documents WHERE body ->> '$.paidAt' >= ?`,
  );
  const newestProducts = database.prepare<[number], { id: string }>(
    'SELECT id FROM product_documents WHERE removed = 0 ORDER BY created_at DESC, id DESC LIMIT ?',
  );
  const owing = database.prepare<[string, string, number], VersionedId>(
    `SELECT id, version FROM order_documents
     WHERE ${OWES} = 1 AND id > ? AND (${STATUS} <> 'unpaid' OR ${CREATED_AT} <= ?) ORDER BY id LIMIT ?`,
  );
  const lowOnStock = database.prepare<[], { count: number }>(
    `SELECT count(*) AS count FROM product_documents WHERE removed = 0 AND ${LOW_STOCK}`,
  );

  function list<K extends ListKind>(kind: K, request: ListRequests[K] & { readonly q?: string | undefined }) {
    const { order, after, limit } = startOfPage(kind, request);
    const column = COLUMNS[order.field];
    const [further, direction] = order.direction === 'ascending' ? ['>', 'ASC'] : ['<', 'DESC'];
    const conditions = FILTERS[kind](request);
    if (after)
      conditions.push({
        sql: `(${column}, id) ${further} (${TEXT}, ?)`,
        values: [JSON.stringify(after.key), after.id],
      });
    const candidates = tables.candidates(kind, searchWords(request.q ?? ''), MOST_CANDIDATES);
    const found = select(kind, conditions, `${column} ${direction}, id ${direction}`, limit, candidates);
    return pageOf(kind, request, found, tables.versionOf(kind));
  }

  return {
    get: async (kind, id) => tables.get(kind, id),
    getMany: async (kind, ids) => tables.getMany(kind, ids),
    save: (documents) => tables.save(documents),
    listOrders: async (request) => list('order', request),
    countOrders: async (q) => countOrders(q),
    ordersPlacedBetween: async (times) =>
      times.slice(1).map((until, index) => placedBetween.get(times[index] ?? until, until)?.count ?? 0),
    totalPaidSince: async (time) => Math.floor(totalPaid.get(time)?.total ?? 0),
    listProducts: async (request) => list('product', request),
    listUsers: async (request) => list('user', request),
    listReviews: async (request) => list('review', request),
    versionOf: async (kind) => tables.versionOf(kind),
    productIds: async (limit) => newestProducts.all(limit).map(({ id }) => id),
    productsNamed: async (name) =>
      select('product', [LISTED_PRODUCT, { sql: `name = ${TEXT}`, values: [JSON.stringify(name)] }], 'id', -1),
    countLowStock: async () => lowOnStock.get()?.count ?? 0,
    ordersToExpire: async (time, limit) =>
      select('order', [{ sql: "status = 'unpaid' AND expires_at <= ?", values: [time] }], 'expires_at, id', limit),
    ordersWithDueWork: async (placedBy, afterId, limit) => owing.all(afterId, placedBy, limit),
    shippedInADay: async (since, now) => shippedInADay.get(now, since) ?? { orders: 0, inTime: 0 },
    mailsToSend: async (time, limit) =>
      select('mail', [{ sql: 'claimed_until <= ?', values: [time] }], 'claimed_until, id', limit),
    ordersWithMoney: async (request) => select('order', between(PAID_AT, request), `${PAID_AT}, id`, request.limit),
    balances: async (request) => select('balance', between('created_at', request), 'created_at, id', request.limit),
    balancesOf: async (intents) =>
      select(
        'balance',
        [{ sql: 'intent IN (SELECT value FROM json_each(?))', values: [JSON.stringify(intents)] }],
        'created_at, id',
        -1,
      ),
    adminIds: async () => admins.all().map(({ id }) => id),
    clear: () => tables.clear(),
  };
}

/** Returns the conditions for one page of the documents whose `column` lies between two times. */
function between(column: string, { from, to, after }: MoneyRequest): Condition[] {
  const range = { sql: `${column} >= ? AND ${column} < ?`, values: [from, to] };
  return after ? [range, { sql: `(${column}, id) > (?, ?)`, values: [after.at, after.id] }] : [range];
}

/**
 * Returns a function that selects documents. If `candidates` is null, the function searches all documents. A `limit` of
 * -1 means no limit. Each distinct SQL statement is prepared once.
 */
function createSelect(database: Database) {
  const statements = new Map<string, Statement<Value[], { body: string }>>();
  return <K extends DocumentKind>(
    kind: K,
    conditions: readonly Condition[],
    order: string,
    limit: number,
    candidates: readonly string[] | null = null,
  ) => {
    const where = conditions.length > 0 ? `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}` : '';
    // CROSS JOIN makes SQLite look up the search candidates one by one, whatever the sort order.
    const among = candidates ? '(SELECT value AS candidate FROM json_each(?)) CROSS JOIN ' : '';
    const from = `${among}${tableOf(kind)}${candidates ? ' ON id = candidate' : ''}`;
    const sql = `SELECT body FROM ${from} ${where} ORDER BY ${order} LIMIT ?`;
    const statement = statements.get(sql) ?? database.prepare<Value[], { body: string }>(sql);
    statements.set(sql, statement);
    const values = conditions.flatMap(({ values }) => values ?? []);
    const rows = statement.all(...(candidates ? [JSON.stringify(candidates)] : []), ...values, limit);
    return rows.map(({ body }) => JSON.parse(body) as Documents[K]);
  };
}

/** These conditions must be spelled exactly as in the partial indexes, or SQLite won't use those indexes. */
const LISTED_PRODUCT: Condition = { sql: 'removed = 0' };
const LISTED_ORDER: Condition = { sql: "status <> 'cancelled'" };
const OPEN_ACCOUNT: Condition = { sql: "body ->> '$.closed' IS NULL" };

function orderFilters({ customer, status, q }: OrderListRequest): Condition[] {
  const filters = [status === undefined ? LISTED_ORDER : { sql: 'status = ?', values: [status] }];
  if (customer !== undefined) filters.push({ sql: 'customer = ?', values: [customer] });
  return [...filters, ...searchFilter(q)];
}

function productFilters({ inStock, stock, q }: ProductListRequest): Condition[] {
  const filters = [LISTED_PRODUCT];
  if (inStock !== undefined) filters.push({ sql: inStock ? 'quantity > 0' : 'quantity = 0' });
  if (stock === 'low') filters.push({ sql: LOW_STOCK });
  return [...filters, ...searchFilter(q)];
}

function userFilters({ q }: UserListRequest): Condition[] {
  return [OPEN_ACCOUNT, ...searchFilter(q)];
}

/** This condition must be spelled exactly as in the index reviews_by_item, or SQLite won't use that index. */
function reviewFilters({ name }: ReviewListRequest): Condition[] {
  return name === undefined ? [] : [{ sql: `body ->> '$.name' = ${TEXT}`, values: [JSON.stringify(name)] }];
}

/** instr() has no wildcards, unlike LIKE. */
function searchFilter(q = ''): Condition[] {
  return searchWords(q).map((word) => ({ sql: `instr(search, ${TEXT}) > 0`, values: [JSON.stringify(word)] }));
}

const FILTERS: { readonly [K in ListKind]: (request: ListRequests[K]) => Condition[] } = {
  order: orderFilters,
  product: productFilters,
  user: userFilters,
  review: reviewFilters,
};
