/** If the anchor is gone, a row below it stands in. This many are tried, the anchor among them. */
const NEAR = 12;

/**
 * How the rows of a table lie in the page. Each row has a room of the same height. A row that enters above the screen gets
 * none at first: its room would push down what is on the screen, and to scroll by as much would end the browser's own smooth
 * scrolling half-way. It gets its room when scrolling ends next, or at once near the top while nothing scrolls. The page is then
 * scrolled by as much.
 *
 * For example, row 40 is the first on the screen when two rows enter at the top:
 *
 *                        its index   roomless   its room begins at   the page is scrolled to
 *     before                    40          0          40 * height               40 * height
 *     they enter                42          2          40 * height               40 * height
 *     scrolling has ended       42          0          42 * height               42 * height
 */
export interface RowLayout {
  /** how many rows at the top have no room yet; below 0, how many rooms there have no row any more */
  roomless: number;
  /** the index of the row that all places are counted from, so that each row keeps its own while others enter above it */
  origin: number;
}

/** The first row on the screen, as it was last laid out: `ids[index]`, `start` pixels below the top of the page. */
export interface Anchor {
  ids: readonly string[];
  index: number;
  start: number;
  /** it is to stand still, since there are rows above the screen */
  still: boolean;
}

/** The layout of `ids`. `entered`: how many more rows stand above the anchor than before; below 0 where rows left. */
export function layoutAfter(last: RowLayout, anchor: Anchor | null, ids: readonly string[]) {
  const entered = anchor === null ? 0 : rowsEnteredAbove(anchor, ids);
  const roomless = last.roomless + (anchor?.still ? entered : 0);
  return { entered, roomless, origin: last.origin + entered };
}

/** If the anchor is gone, the first row below it that is still there stands in. */
function rowsEnteredAbove({ ids: before, index }: Anchor, ids: readonly string[]): number {
  if (before === ids) return 0;
  for (let at = index; at < Math.min(index + NEAR, before.length); at += 1) {
    const now = indexNear(ids, before[at] as string, at);
    if (now !== -1) return now - at;
  }
  return 0;
}

/** The index of the row with this id, searched outwards from `hint`; -1 if it is gone. */
export function indexNear(ids: readonly string[], id: string, hint: number): number {
  for (let step = 0; step <= ids.length; step += 1) {
    if (ids[hint - step] === id) return hint - step;
    if (ids[hint + step] === id) return hint + step;
  }
  return -1;
}
