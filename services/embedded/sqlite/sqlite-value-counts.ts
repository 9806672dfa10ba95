import type { CountedColumn, Declarations } from '../../contracts/document-queries.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import { byKind } from '../../engine/read-models/by-kind.ts';
import type { Database } from '../../runtime/sqlite.ts';
import type { DocumentTables } from './sqlite-document-tables.ts';
import { tableOf } from './sqlite-writes.ts';

type Counts = Readonly<Record<string, number>>;

/**
 * Returns a function that counts the documents with each value of the kind's `counted` column. It counts again only if
 * a document has changed since the last count. To avoid counting the documents with the most frequent value row by row,
 * their number is computed as the total minus the other counts. SQLite computes the total from the page headers of an
 * index, which is 100 times faster than counting row by row.
 */
export function createCountByValue(
  database: Database,
  declarations: Declarations,
  tables: Pick<DocumentTables, 'versionOf'>,
) {
  const counters = byKind((kind) => prepareCounts(database, kind, declarations[kind].counted));
  const lastCounts = new Map<DocumentKind, { readonly version: string; readonly counts: Counts }>();

  return (kind: DocumentKind): Counts => {
    const count = counters[kind];
    if (!count) throw new Error(`No column of ${kind} is declared as counted.`);
    const version = tables.versionOf(kind);
    const last = lastCounts.get(kind);
    if (last?.version === version) return last.counts;
    // One transaction contains all counts, so that they are from the same moment.
    const counts = database.transaction(count, 'deferred');
    lastCounts.set(kind, { version, counts });
    return counts;
  };
}

function prepareCounts(
  database: Database,
  kind: DocumentKind,
  counted: CountedColumn | undefined,
): (() => Counts) | null {
  if (!counted) return null;
  const { column, values, most } = counted;
  const others = values.filter((value) => value !== most);
  const whole = database.prepare<[], { count: number }>(`SELECT count(*) AS count FROM ${tableOf(kind)}`);
  const countOf = database.prepare<[string], { count: number }>(
    `SELECT count(*) AS count FROM ${tableOf(kind)} WHERE "${column}" = ?`,
  );
  return () => {
    const counts = Object.fromEntries(others.map((value) => [value, countOf.get(value)?.count ?? 0]));
    const rest = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { ...counts, [most]: (whole.get()?.count ?? 0) - rest };
  };
}
