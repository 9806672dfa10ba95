import { useMediaQuery } from '@mantine/hooks';
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

export interface Row {
  _id: string;
}

/** Estimated heights until rows are measured, in pixels; on a phone each row is a card. */
export interface RowHeight {
  row: number;
  card: number;
}

/** A phone: `--sm-down` of breakpoints.css, where rows become cards. */
export const CARDS = '(max-width: 48em)';
/** Rows rendered above and below the screen, ready for scrolling. */
const OVERSCAN = 12;
/** Between two cards, as in data-table.module.css. */
const CARD_GAP = 12;
/** How much of the top of the screen the bar covers: `--bar-height` of tokens.css. */
export const BAR = 64;

/** The index of the row with this id, searched outwards from `hint`; -1 if it is gone. */
export function indexNear(rows: readonly Row[], id: string, hint: number): number {
  for (let step = 0; step <= rows.length; step += 1) {
    if (rows[hint - step]?._id === id) return hint - step;
    if (rows[hint + step]?._id === id) return hint + step;
  }
  return -1;
}

/** Maps an index to its row's id. Stable until rows are added, removed or moved: only then are positions recomputed. */
function useRowKeys(rows: readonly Row[]): (index: number) => string {
  const known = useRef({ rows, keyOf: (index: number) => rows[index]?._id ?? '' });
  const before = known.current.rows;
  if (before !== rows) {
    const same = before.length === rows.length && rows.every((row, index) => row._id === before[index]?._id);
    known.current = { rows, keyOf: same ? known.current.keyOf : (index) => rows[index]?._id ?? '' };
  }
  return known.current.keyOf;
}

/**
 * Renders only the rows on or near the screen, in a page that scrolls as a whole. Rows inserted above the screen do not
 * move what is on it, and the row with the keyboard focus stays rendered while it is out of sight.
 */
export function useVirtualRows(rows: readonly Row[], height: RowHeight, body: RefObject<HTMLElement | null>) {
  const cards = useMediaQuery(CARDS, undefined, { getInitialValueInEffect: false });
  const gap = cards ? CARD_GAP : 0;
  const [top, setTop] = useState<number | null>(null);
  const focused = useRef<{ id: string; index: number } | null>(null);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range);
      const kept = focused.current && indexNear(rows, focused.current.id, focused.current.index);
      if (kept === null || kept === -1 || shown.includes(kept)) return shown;
      return [...shown, kept].sort((a, b) => a - b);
    },
    [rows],
  );
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    getItemKey: useRowKeys(rows),
    estimateSize: () => (cards ? height.card : height.row),
    overscan: OVERSCAN,
    scrollMargin: top ?? 0,
    paddingStart: gap,
    gap,
    rangeExtractor,
  });

  // The content above the table may change its height at any time.
  useLayoutEffect(() => {
    const at = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    if (top === null || Math.abs(at - top) >= 1) setTop(at);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: cards and rows of a table have heights of their own
  useLayoutEffect(() => {
    virtualizer.measure();
  }, [cards, virtualizer]);

  const anchor = useRef<{ id: string; index: number; start: number } | null>(null);
  const items = virtualizer.getVirtualItems();
  // biome-ignore lint/correctness/useExhaustiveDependencies: places count from `top`, so they move with it
  useLayoutEffect(() => {
    const { current } = anchor;
    const index = current === null ? -1 : indexNear(rows, current.id, current.index);
    if (current === null || index === -1) return;
    const { start } = virtualizer.measurementsCache[index] ?? current;
    if (start !== current.start) window.scrollBy(0, start - current.start);
  }, [rows, top, virtualizer]);
  useLayoutEffect(() => {
    const screen = window.scrollY + BAR;
    const first = top !== null && screen > top ? items.find((item) => item.end > screen) : undefined;
    anchor.current = first ? { id: String(first.key), index: first.index, start: first.start } : null;
  });

  const onFocus = useCallback(
    (event: FocusEvent) => {
      const index = Number(event.target.closest('tr')?.dataset.index);
      const row = rows[index];
      if (row) focused.current = { id: row._id, index };
    },
    [rows],
  );
  const onBlur = useCallback(() => {
    focused.current = null;
  }, []);

  return {
    items,
    measure: virtualizer.measureElement,
    /** the gap above each row */
    gap,
    /** the offset that `start` and `end` of an item are relative to */
    top: top ?? 0,
    height: virtualizer.getTotalSize(),
    handlers: { onFocus, onBlur },
  };
}
