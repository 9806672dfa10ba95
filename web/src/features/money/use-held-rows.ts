import type { LedgerRow } from '@micro-center/services/contracts/ledger/ledger.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useHands } from '../../live/use-hands.ts';
import { needsAttention } from './row-words.ts';

/** The ids of the rows in the two tables. */
interface Ids {
  view: string;
  attention: readonly string[];
  rest: readonly string[];
}

/**
 * Divides the rows between the two tables, and holds them in place while the pointer, a finger or the focus is on them:
 * rows stay in their table and new rows aren't shown yet. Changes within a row are shown immediately. Put `handlers` on
 * the element that contains both tables. Rows of another `view` aren't held. `known` has the last version of each row
 * that is shown, and `present` only those that are still in the ledger.
 */
export function useHeldRows(view: string, rows: readonly LedgerRow[]) {
  const now: Ids = useMemo(
    () => ({
      view,
      attention: rows.filter(needsAttention).map(({ id }) => id),
      rest: rows.filter((row) => !needsAttention(row)).map(({ id }) => id),
    }),
    [view, rows],
  );
  const latest = useRef(now);
  latest.current = now;
  const [last, setHeld] = useState<Ids | null>(null);
  const held = last?.view === view ? last : null;
  const hold = useCallback(() => setHeld(latest.current), []);
  const { laid, handlers } = useHands(hold, () => setHeld(null));
  // The pointer may already be there when another view is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new view is held as soon as it is shown
  useEffect(() => {
    if (laid.current.size > 0) hold();
  }, [view, laid, hold]);

  const present = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows]);
  const known = useRef<ReadonlyMap<string, LedgerRow>>(present);
  // The versions of rows that have left are kept only as long as rows are held.
  known.current = held === null ? present : new Map([...known.current, ...present]);
  const shown = held ?? now;
  const shownIds = held && new Set([...held.attention, ...held.rest]);
  return {
    ...shown,
    present,
    known: known.current,
    waiting: shownIds === null ? 0 : rows.filter(({ id }) => !shownIds.has(id)).length,
    showWaiting: hold,
    handlers,
  };
}
