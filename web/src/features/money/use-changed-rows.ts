import type { LedgerRow } from '@micro-center/services/contracts/ledger/ledger.ts';
import { useEffect, useRef, useState } from 'react';

/** How long a changed row is highlighted, in milliseconds (docs/style.md). */
const HIGHLIGHT_FOR = 1_000;
const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the ids of the rows that the last fetch added or changed, for one second. The first rows of a view, which
 * `view` names, aren't changes. `rows` is undefined until they are loaded.
 */
export function useChangedRows(view: string, rows: readonly LedgerRow[] | undefined): ReadonlySet<string> {
  const [changed, setChanged] = useState(NONE);
  const known = useRef<{ view: string; texts: ReadonlyMap<string, string> } | null>(null);
  useEffect(() => {
    if (rows === undefined) return;
    const before = known.current?.view === view ? known.current.texts : null;
    const texts = new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
    known.current = { view, texts };
    const ids = before === null ? [] : rows.filter(({ id }) => before.get(id) !== texts.get(id)).map(({ id }) => id);
    if (ids.length > 0) setChanged(new Set(ids));
  }, [view, rows]);
  useEffect(() => {
    if (changed.size === 0) return;
    const timer = setTimeout(() => setChanged(NONE), HIGHLIGHT_FOR);
    return () => clearTimeout(timer);
  }, [changed]);
  return changed;
}
