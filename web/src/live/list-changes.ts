import { type AnyView, compareNewestFirst, keyOf, type LiveList } from './apply-push.ts';

/** One row's change between two states of a list: entered (`before` null), left (`after` null), or another version. */
export interface RowChange<V> {
  before: V | null;
  after: V | null;
  /** where the row stood in the state before; where it would have stood if it entered */
  index: number;
}

type Rows<V extends AnyView> = Pick<LiveList<V>, 'items' | 'end'>;

const isBeyond = (view: AnyView, end: LiveList['end']) => end !== null && compareNewestFirst(keyOf(view), end) > 0;

/**
 * What changed between two states of a list, in its order. Both are walked once and the rows that are the same objects
 * cost next to nothing, so that a push into a list of any length stays cheap. What lies beyond the end of either state
 * was loaded or let go, which is no change.
 */
export function listChanges<V extends AnyView>(before: Rows<V>, after: Rows<V>): RowChange<V>[] {
  const was = before.items;
  const is = after.items;
  if (was === is) return [];
  const changes: RowChange<V>[] = [];
  let i = 0;
  let j = 0;
  while (i < was.length || j < is.length) {
    const old = was[i];
    const now = is[j];
    if (old !== undefined && old === now) {
      i += 1;
      j += 1;
      continue;
    }
    const order = old === undefined ? 1 : now === undefined ? -1 : compareNewestFirst(keyOf(old), keyOf(now));
    if (order === 0 && old !== undefined && now !== undefined) {
      if (old.version !== now.version) changes.push({ before: old, after: now, index: i });
      i += 1;
      j += 1;
    } else if (order < 0 && old !== undefined) {
      if (!isBeyond(old, after.end)) changes.push({ before: old, after: null, index: i });
      i += 1;
    } else if (now !== undefined) {
      if (isBeyond(now, before.end)) break;
      changes.push({ before: null, after: now, index: i });
      j += 1;
    }
  }
  return changes;
}
