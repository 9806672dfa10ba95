import type { LedgerRow } from '@micro-center/services/contracts/ledger/ledger.ts';
import { useMemo, useRef } from 'react';
import { useSteadyIds } from '../../live/use-steady-ids.ts';
import { needsAttention } from './row-words.ts';

type Rows = ReadonlyMap<string, LedgerRow>;

/**
 * Divides the rows between the two tables. While the pointer, a finger or the focus holds the rows in place, each row
 * stays in its table. Put `handlers` on the element that contains both tables. `view` identifies the rows' period and
 * filter. `known` has the last version of each row that is shown, and `present` only those that are still in the ledger.
 */
export function useSteadyRows(view: string, rows: readonly LedgerRow[]) {
  const present: Rows = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows]);
  const all = useMemo(
    () => [...rows.filter(needsAttention), ...rows.filter((row) => !needsAttention(row))].map(({ id }) => id),
    [rows],
  );
  const { ids, held, ...steady } = useSteadyIds(`ledger ${view}`, null, all);
  const known = useRef(present);
  known.current = held ? new Map([...known.current, ...present]) : present;
  // A row's table is decided by the row's version when the hold began.
  const atHold = useRef({ held, rows: present });
  if (held === undefined || held !== atHold.current.held) atHold.current = { held, rows: present };
  const isUrgent = (id: string) => {
    const row = atHold.current.rows.get(id) ?? known.current.get(id);
    return row !== undefined && needsAttention(row);
  };
  return {
    attention: ids.filter(isUrgent),
    rest: ids.filter((id) => !isUrgent(id)),
    present,
    known: known.current,
    ...steady,
  };
}
