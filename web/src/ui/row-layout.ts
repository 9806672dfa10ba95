/**
 * The maximum number of rows to try as the anchor. If the anchor row has left the list, the rows that were below it are
 * tried in turn.
 */
const NEAR = 12;

/**
 * How a table's rows are laid out in the page. Each row has a slot of fixed height. A row that is inserted above the
 * screen gets no slot at first (`roomless`), because a new slot would push the visible rows down. Scrolling the page by
 * the same amount would compensate for this, but would also cut off the browser's smooth scrolling. The row gets its
 * slot the next time that scrolling ends, or immediately if nothing is scrolling and the screen is near the top of the
 * table. The page is then scrolled by the height of the slot, so that the visible rows stay in place.
 *
 * For example, row 40 is the first row on the screen when two rows are inserted at the top. The row's index becomes 42,
 * but `roomless` becomes 2, so the row's slot still starts at 40 times the row height. Once scrolling has ended,
 * `roomless` becomes 0, the row's slot starts at 42 times the row height, and the page is scrolled by two row heights.
 */
export interface RowLayout {
  /**
   * the number of rows at the top of the table that have no slot yet. A negative value means that rows were removed: -2
   * means that the top two slots have no row.
   */
  roomless: number;
  /**
   * the index of the row from which positions are measured. The origin moves with this row, so rows inserted above it
   * don't change any positions.
   */
  origin: number;
}

/** The first row on the screen at the last layout: `ids[index]`, `start` pixels below the top of the page. */
export interface Anchor {
  ids: readonly string[];
  index: number;
  start: number;
  /** whether the row must stay in place: true if the top of the table has been scrolled off the screen */
  still: boolean;
}

/**
 * Returns the layout of `ids`. `entered` is the number of rows added above the anchor, negative if rows were removed.
 */
export function layoutAfter(last: RowLayout, anchor: Anchor | null, ids: readonly string[]) {
  const entered = anchor === null ? 0 : rowsEnteredAbove(anchor, ids);
  const roomless = last.roomless + (anchor?.still ? entered : 0);
  return { entered, roomless, origin: last.origin + entered };
}

/**
 * Returns the number of rows added above the anchor row since the last layout, negative if rows were removed. If the
 * anchor row has left the list, counts from the first row below it that is still in the list.
 */
function rowsEnteredAbove({ ids: before, index }: Anchor, ids: readonly string[]): number {
  if (before === ids) return 0;
  for (let at = index; at < Math.min(index + NEAR, before.length); at += 1) {
    const now = indexNear(ids, before[at] as string, at);
    if (now !== -1) return now - at;
  }
  return 0;
}

/** Returns the index of the row with this id, searching outwards from `hint`, or -1 if the row isn't in `ids`. */
export function indexNear(ids: readonly string[], id: string, hint: number): number {
  for (let step = 0; step <= ids.length; step += 1) {
    if (ids[hint - step] === id) return hint - step;
    if (ids[hint + step] === id) return hint + step;
  }
  return -1;
}
