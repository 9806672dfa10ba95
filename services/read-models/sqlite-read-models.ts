import type { Database, Statement } from 'better-sqlite3';
import { z } from 'zod';
import type { StreamKind } from '../contracts/ids.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { AnyDocument, Documents, ProductDocument } from './documents.ts';
import type { OrderListRequest, Page, PageRequest, ProductListRequest, ReadModels } from './read-models.ts';
import { openDocumentTables, tableOf } from './sqlite-document-tables.ts';

type Value = string | number;

/** A condition in SQL and what its question marks stand for. */
interface Condition {
  readonly sql: string;
  readonly values?: readonly Value[];
}

/** What a list is sorted by: a column, its document's value, and the direction; ties go by id the same way. */
interface Order<K extends StreamKind> {
  /** part of the cursor's binding */
  readonly name: string;
  readonly column: string;
  readonly direction: 'ASC' | 'DESC';
  readonly keySchema: z.ZodType<Value>;
  readonly keyOf: (document: Documents[K]) => Value;
}

/** Read models in a database of openShopDatabase(); close() leaves it open. */
export function createSqliteReadModels({ database }: { database: Database }): ReadModels {
  const tables = openDocumentTables(database);
  const select = createSelect(database);
  const admins = database.prepare<[], { id: string }>("SELECT id FROM user_documents WHERE role = 'admin' ORDER BY id");

  function list<K extends StreamKind>(
    kind: K,
    order: Order<K>,
    request: PageRequest,
    filters: readonly Condition[] = [],
  ): Page<Documents[K]> {
    const name = `${kind}:${order.name}`;
    const { column, direction } = order;
    const conditions = [...filters];
    if (request.cursor !== undefined) {
      const { key, id } = decodeCursor(name, request.cursor, order.keySchema);
      conditions.push({ sql: `(${column}, id) ${direction === 'ASC' ? '>' : '<'} (?, ?)`, values: [key, id] });
    }
    // One more than asked for says whether there is a next page.
    const found = select(kind, conditions, `${column} ${direction}, id ${direction}`, request.limit + 1);
    const items = found.slice(0, request.limit);
    const last = items.at(-1);
    const next =
      last && found.length > items.length ? encodeCursor(name, { key: order.keyOf(last), id: last.id }) : null;
    return { items, next };
  }

  return {
    get: async (kind, id) => tables.get(kind, id),
    getMany: async (kind, ids) => tables.getMany(kind, ids),
    save: async (documents) => tables.save(documents),
    listOrders: async (request) => list('order', byCreation<'order'>(request), request, orderFilters(request)),
    listProducts: async (request) => list('product', productOrder(request), request, productFilters(request)),
    listUsers: async (request) => list('user', byCreation<'user'>(request), request),
    listReviews: async (request) => list('review', byCreation<'review'>(request), request),
    productsNamed: async (name) => select('product', [LISTED_PRODUCT, { sql: 'name = ?', values: [name] }], 'id', -1),
    ordersToExpire: async (time, limit) =>
      select('order', [{ sql: "status = 'unpaid' AND expires_at <= ?", values: [time] }], 'expires_at, id', limit),
    ordersOwing: async (afterId, limit) =>
      select('order', [{ sql: 'owing = 1 AND id > ?', values: [afterId] }], 'id', limit),
    adminIds: async () => admins.all().map(({ id }) => id),
    clear: async () => tables.clear(),
    async close() {},
  };
}

/** Reads the documents that fit all conditions; `limit` -1 is all. Each shape of query is prepared once. */
function createSelect(database: Database) {
  const statements = new Map<string, Statement<Value[], { body: string }>>();
  return <K extends StreamKind>(kind: K, conditions: readonly Condition[], order: string, limit: number) => {
    const where = conditions.length > 0 ? `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}` : '';
    const sql = `SELECT body FROM ${tableOf(kind)} ${where} ORDER BY ${order} LIMIT ?`;
    const statement = statements.get(sql) ?? database.prepare<Value[], { body: string }>(sql);
    statements.set(sql, statement);
    const rows = statement.all(...conditions.flatMap(({ values }) => values ?? []), limit);
    return rows.map(({ body }) => JSON.parse(body) as Documents[K]);
  };
}

/** Written as in the partial indexes: otherwise SQLite does not see that they fit. */
const LISTED_PRODUCT: Condition = { sql: 'removed = 0' };
const LISTED_ORDER: Condition = { sql: "status <> 'cancelled'" };

function orderFilters({ customer, status, q }: OrderListRequest): Condition[] {
  const filters = [status === undefined ? LISTED_ORDER : { sql: 'status = ?', values: [status] }];
  if (customer !== undefined) filters.push({ sql: 'customer = ?', values: [customer] });
  return [...filters, ...searchFilter(q)];
}

function productFilters({ inStock, q }: ProductListRequest): Condition[] {
  const filters = [LISTED_PRODUCT];
  if (inStock !== undefined) filters.push({ sql: inStock ? 'quantity > 0' : 'quantity = 0' });
  return [...filters, ...searchFilter(q)];
}

/** instr() takes the words as they are: unlike LIKE it knows no wildcards. */
function searchFilter(q: string | undefined): Condition[] {
  return q ? [{ sql: 'instr(search, ?) > 0', values: [q.toLowerCase()] }] : [];
}

function byCreation<K extends StreamKind>({ sort }: PageRequest): Order<K> {
  return {
    name: sort,
    column: 'created_at',
    direction: sort === 'oldest' ? 'ASC' : 'DESC',
    keySchema: z.string(),
    keyOf: ({ createdAt }: AnyDocument) => createdAt,
  };
}

function productOrder(request: ProductListRequest): Order<'product'> {
  switch (request.order) {
    case 'price':
    case '-price':
      return {
        name: request.order,
        column: 'price',
        direction: request.order === 'price' ? 'ASC' : 'DESC',
        keySchema: z.number(),
        keyOf: ({ price }: ProductDocument) => price,
      };
    case 'name':
      return {
        name: 'name',
        column: 'name',
        direction: 'ASC',
        keySchema: z.string(),
        keyOf: ({ name }: ProductDocument) => name,
      };
    case undefined:
      return byCreation(request);
    default:
      return request.order satisfies never;
  }
}
