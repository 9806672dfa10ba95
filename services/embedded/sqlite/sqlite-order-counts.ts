import { searchWords } from '../../contracts/search-text.ts';
import { MOST_COUNTED, type OrderCounts } from '../../engine/read-models/read-models.ts';
import type { Database } from '../../runtime/sqlite.ts';
import type { DocumentTables } from './sqlite-document-tables.ts';

type Counts = Record<'unpaid' | 'paid' | 'shipped', number | null>;

/**
 * Counts orders by status. Most orders are shipped. To avoid counting those row by row, their number is computed as the
 * total minus the counts of the other statuses. SQLite computes the total from the page headers of an index, which is
 * 100 times faster than counting row by row.
 */
export function createOrderCounts(database: Database, tables: Pick<DocumentTables, 'candidates' | 'versionOf'>) {
  const whole = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM order_documents');
  const ofStatus = database.prepare<[string], { count: number }>(
    'SELECT count(*) AS count FROM order_documents WHERE status = ?',
  );
  const ofStatusUpTo = database.prepare<[string, number], { count: number }>(
    'SELECT count(*) AS count FROM (SELECT 1 FROM order_documents WHERE status = ? LIMIT ?)',
  );
  const textsOf = database.prepare<[string], { search: string }>('SELECT search FROM order_documents WHERE status = ?');
  const candidatesOf = database.prepare<[string], { status: string; search: string }>(
    `SELECT status, search FROM (SELECT value AS candidate FROM json_each(?)) CROSS JOIN order_documents ON id = candidate`,
  );

  const countOf = (status: string) => ofStatus.get(status)?.count ?? 0;

  let counted: { readonly version: string; readonly counts: OrderCounts } | undefined;
  /** Counts again only if an order has changed since the last count. */
  function countAll(): OrderCounts {
    const version = tables.versionOf('order');
    if (counted?.version !== version) counted = { version, counts: database.transaction(countEach, 'deferred') };
    return counted.counts;
  }

  /** Must run in a transaction, so that all counts are from the same moment. */
  function countEach(): OrderCounts {
    const [unpaid, paid] = [countOf('unpaid'), countOf('paid')];
    const all = (whole.get()?.count ?? 0) - countOf('cancelled');
    return { all, unpaid, paid, shipped: all - unpaid - paid };
  }

  /**
   * For each order status, returns the search texts of the orders that the search index finds for the words. If the
   * index can't narrow the orders down, returns the search texts of all orders with that status, or null if there are
   * more than MOST_COUNTED such orders.
   */
  function searchedTexts(words: readonly string[]): Record<keyof Counts, readonly string[] | null> {
    const candidates = tables.candidates('order', words, MOST_COUNTED);
    if (candidates) {
      const found = candidatesOf.all(JSON.stringify(candidates));
      const texts = (wanted: string) => found.filter(({ status }) => status === wanted).map(({ search }) => search);
      return { unpaid: texts('unpaid'), paid: texts('paid'), shipped: texts('shipped') };
    }
    const texts = (status: keyof Counts) => {
      const count = ofStatusUpTo.get(status, MOST_COUNTED + 1)?.count ?? 0;
      return count > MOST_COUNTED ? null : textsOf.all(status).map(({ search }) => search);
    };
    return { unpaid: texts('unpaid'), paid: texts('paid'), shipped: texts('shipped') };
  }

  return (q = ''): OrderCounts => {
    const words = searchWords(q);
    if (words.length === 0) return countAll();
    const texts = searchedTexts(words);
    const count = (status: keyof Counts) =>
      texts[status]?.filter((text) => words.every((word) => text.includes(word))).length ?? null;
    const [unpaid, paid, shipped] = [count('unpaid'), count('paid'), count('shipped')];
    const all = unpaid === null || paid === null || shipped === null ? null : unpaid + paid + shipped;
    return { all, unpaid, paid, shipped };
  };
}
