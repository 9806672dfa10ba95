import { useMediaQuery } from '@mantine/hooks';
import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { commonEnds } from './common-ends.ts';

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
export function indexNear(ids: readonly string[], id: string, hint: number): number {
  for (let step = 0; step <= ids.length; step += 1) {
    if (ids[hint - step] === id) return hint - step;
    if (ids[hint + step] === id) return hint + step;
  }
  return -1;
}

/** How high each row is, and where it begins: `starts[i]` below the first row's top, with the gap above it. */
interface Heights {
  ids: readonly string[];
  estimate: number;
  gap: number;
  sizes: Float64Array;
  starts: Float64Array;
}

function startsOf(sizes: Float64Array, gap: number): Float64Array {
  const starts = new Float64Array(sizes.length + 1);
  let start = 0;
  for (let index = 0; index < sizes.length; index += 1) {
    starts[index] = start;
    start += (sizes[index] as number) + gap;
  }
  starts[sizes.length] = start;
  return starts;
}

/** The heights of `ids`: as they were in `before` where they stand at its top or bottom, else the estimate. */
function heightsOf(ids: readonly string[], estimate: number, gap: number, before: Heights | null): Heights {
  const sizes = new Float64Array(ids.length).fill(estimate);
  if (before !== null && before.estimate === estimate) {
    const { top, bottom } = commonEnds(before.ids, ids);
    sizes.set(before.sizes.subarray(0, top));
    sizes.set(before.sizes.subarray(before.ids.length - bottom), ids.length - bottom);
  }
  return { ids, estimate, gap, sizes, starts: startsOf(sizes, gap) };
}

/** The index of the row that covers `at`, in pixels below the first row's top; the nearest row where none does. */
function indexAt({ starts, ids }: Heights, at: number): number {
  let [from, to] = [0, ids.length - 1];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((starts[middle + 1] as number) <= at) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The row of this focus, where it is still there. */
interface Focused {
  id: string;
  index: number;
}

/**
 * Renders only the rows on or near the screen, in a page that scrolls as a whole. Rows inserted above the screen do not
 * move what is on it, and the row with the keyboard focus stays rendered while it is out of sight.
 */
export function useVirtualRows(
  ids: readonly string[],
  height: RowHeight,
  body: RefObject<HTMLTableSectionElement | null>,
) {
  const cards = useMediaQuery(CARDS, undefined, { getInitialValueInEffect: false });
  const [gap, estimate] = cards ? [CARD_GAP, height.card] : [0, height.row];
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const [top, setTop] = useState<number | null>(null);
  const known = useRef<Heights | null>(null);
  const before = known.current;
  if (before?.ids !== ids || before.estimate !== estimate) known.current = heightsOf(ids, estimate, gap, before);
  const heights = known.current as Heights;

  const rangeNow = () => {
    const from = window.scrollY - (top ?? 0);
    const first = indexAt(heights, from) - OVERSCAN;
    const last = indexAt(heights, from + window.innerHeight) + OVERSCAN;
    return { first: Math.max(0, first), last: Math.min(ids.length - 1, last) };
  };
  const range = rangeNow();
  const latest = useRef({ range, rangeNow });
  latest.current = { range, rangeNow };
  useEffect(() => {
    const moved = () => {
      const { range: shown, rangeNow: now } = latest.current;
      const { first, last } = now();
      if (first !== shown.first || last !== shown.last) flushSync(redraw);
    };
    window.addEventListener('scroll', moved, { passive: true });
    window.addEventListener('resize', moved);
    return () => {
      window.removeEventListener('scroll', moved);
      window.removeEventListener('resize', moved);
    };
  }, []);

  /** Whether a row in the page is higher or lower than it was known to be. */
  const measure = useCallback(() => {
    const { current } = known;
    if (current === null) return false;
    let changed = false;
    for (const row of body.current?.rows ?? []) {
      const index = Number(row.dataset.index);
      const { offsetHeight } = row;
      if (!(index in current.sizes) || offsetHeight === 0 || offsetHeight === current.sizes[index]) continue;
      current.sizes[index] = offsetHeight;
      changed = true;
    }
    if (changed) current.starts = startsOf(current.sizes, current.gap);
    return changed;
  }, [body]);
  useEffect(() => {
    if (body.current === null) return;
    const observer = new ResizeObserver(() => {
      if (measure()) redraw();
    });
    observer.observe(body.current);
    return () => observer.disconnect();
  }, [body, measure]);

  const anchor = useRef<(Focused & { start: number }) | null>(null);
  useLayoutEffect(() => {
    const changed = measure();
    // The content above the table may change its height at any time.
    const at = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    const place = top === null || Math.abs(at - top) >= 1 ? at : top;
    if (place !== top) setTop(place);
    const startOf = (index: number) => place + (heights.starts[index] as number);
    const { current } = anchor;
    const index = current === null ? -1 : indexNear(ids, current.id, current.index);
    if (current !== null && index !== -1 && startOf(index) !== current.start) {
      window.scrollBy(0, startOf(index) - current.start);
    }
    const screen = window.scrollY + BAR;
    const first = indexAt(heights, screen - place);
    const id = ids[first];
    anchor.current = screen > place && id !== undefined ? { id, index: first, start: startOf(first) } : null;
    if (changed) redraw();
  });

  const focused = useRef<Focused | null>(null);
  const indexes = Array.from({ length: range.last - range.first + 1 }, (_, n) => range.first + n);
  const kept = focused.current === null ? -1 : indexNear(ids, focused.current.id, focused.current.index);
  if (kept !== -1 && kept < range.first) indexes.unshift(kept);
  if (kept > range.last) indexes.push(kept);
  const onFocus = useCallback(
    (event: FocusEvent) => {
      const index = Number(event.target.closest('tr')?.dataset.index);
      const id = ids[index];
      if (id !== undefined) focused.current = { id, index };
    },
    [ids],
  );
  const onBlur = useCallback(() => {
    focused.current = null;
  }, []);

  return {
    rows: indexes.map((index) => ({
      index,
      id: ids[index] as string,
      start: heights.starts[index] as number,
      end: heights.starts[index + 1] as number,
    })),
    height: heights.starts[ids.length] as number,
    handlers: { onFocus, onBlur },
  };
}
