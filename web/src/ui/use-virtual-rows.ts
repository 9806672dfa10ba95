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

/** How high every row of a table is, in pixels at the browser's usual text size; on a phone each row is a card. */
export interface RowHeight {
  row: number;
  card: number;
}

/** A phone: `--phone` of breakpoints.css, where rows become cards. */
export const CARDS = '(width < 48em)';
/** Rows rendered above and below the screen, ready for scrolling. */
const OVERSCAN = 12;
/** Above each card, as in data-table.module.css. */
const CARD_GAP = 12;
/** How much of the top of the screen the bar covers: `--bar-height` of tokens.css. */
export const BAR = 64;
/**
 * After a key, and after the browser said that scrolling has ended, nothing may move for this long, in milliseconds: a key
 * scrolls some frames later, and what has ended may be a scroll by script while the browser's own goes on.
 */
const SCROLL_PAUSE = 150;

/** The index of the row with this id, searched outwards from `hint`; -1 if it is gone. */
export function indexNear(ids: readonly string[], id: string, hint: number): number {
  for (let step = 0; step <= ids.length; step += 1) {
    if (ids[hint - step] === id) return hint - step;
    if (ids[hint + step] === id) return hint + step;
  }
  return -1;
}

/** The first row on the screen: `ids[index]`, `start` pixels below the top of the page. */
interface Anchor {
  ids: readonly string[];
  index: number;
  start: number;
  /** it is to stand still, since there are rows above the screen */
  still: boolean;
}

/** How many more rows stand above the anchor in `ids` than did; of rows that are gone the next one is asked. */
function rowsEnteredAbove({ ids: before, index }: Anchor, ids: readonly string[]): number {
  if (before === ids) return 0;
  for (let at = index; at < Math.min(index + OVERSCAN, before.length); at += 1) {
    const now = indexNear(ids, before[at] as string, at);
    if (now !== -1) return now - at;
  }
  return 0;
}

/** A rendered row, `top` pixels below the point from which places are counted. */
export interface RowPlace {
  id: string;
  index: number;
  top: number;
}

const textScale = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;

/**
 * Renders only the rows on or near the screen, in a page that scrolls as a whole. The row with the keyboard focus stays
 * rendered while it is out of sight. Rows that enter above the screen do not move what is on it: they take up no room
 * until scrolling has ended, since to move the page by script would end the browser's own smooth scrolling half-way.
 */
export function useVirtualRows(
  ids: readonly string[],
  height: RowHeight,
  body: RefObject<HTMLTableSectionElement | null>,
) {
  const cards = useMediaQuery(CARDS, undefined, { getInitialValueInEffect: false });
  const [scale] = useState(textScale);
  const rowHeight = Math.round((cards ? height.card : height.row) * scale);
  const step = rowHeight + (cards ? CARD_GAP : 0);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const [top, setTop] = useState<number | null>(null);
  const scrolling = useRef(false);
  /**
   * `roomless`: the rows at the top that have no room yet; below 0, the room there that no row has any more. `origin`: the
   * index of the row from which places are counted, so that rows keep theirs while others enter above them.
   */
  const placed = useRef<{ roomless: number; origin: number; anchor: Anchor | null }>({
    roomless: 0,
    origin: 0,
    anchor: null,
  });
  const { anchor } = placed.current;
  const entered = anchor === null ? 0 : rowsEnteredAbove(anchor, ids);
  const roomless = placed.current.roomless + (anchor?.still ? entered : 0);
  const origin = placed.current.origin + entered;
  const startOf = (index: number) => (index - roomless) * step;
  const offset = (origin - roomless) * step;
  const indexAt = (y: number) => Math.floor((y - (top ?? 0)) / step) + roomless;

  const rangeNow = () => ({
    first: Math.max(0, roomless, indexAt(window.scrollY) - OVERSCAN),
    last: Math.min(ids.length - 1, indexAt(window.scrollY + window.innerHeight) + OVERSCAN),
  });
  const range = rangeNow();
  const latest = useRef({ range, rangeNow });
  latest.current = { range, rangeNow };
  useEffect(() => {
    let pause: ReturnType<typeof setTimeout> | undefined;
    const moved = () => {
      const { range: shown, rangeNow: now } = latest.current;
      const { first, last } = now();
      if (first !== shown.first || last !== shown.last) flushSync(redraw);
    };
    const endsSoon = () => {
      scrolling.current = true;
      clearTimeout(pause);
      pause = setTimeout(ended, SCROLL_PAUSE);
    };
    const scrolled = () => {
      endsSoon();
      if ('onscrollend' in window) clearTimeout(pause);
      moved();
    };
    const ended = () => {
      scrolling.current = false;
      if (placed.current.roomless === 0) return;
      placed.current.roomless = 0;
      flushSync(redraw);
    };
    // What is moved by a transform is cut where a sheet of paper ends.
    const toPrint = () => {
      placed.current.origin = placed.current.roomless;
      flushSync(redraw);
    };
    window.addEventListener('scroll', scrolled, { passive: true });
    window.addEventListener('scrollend', endsSoon);
    window.addEventListener('keydown', endsSoon);
    window.addEventListener('resize', moved);
    window.addEventListener('beforeprint', toPrint);
    return () => {
      clearTimeout(pause);
      window.removeEventListener('scroll', scrolled);
      window.removeEventListener('scrollend', endsSoon);
      window.removeEventListener('keydown', endsSoon);
      window.removeEventListener('resize', moved);
      window.removeEventListener('beforeprint', toPrint);
    };
  }, []);

  useLayoutEffect(() => {
    // The content above the table may change its height at any time.
    const at = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY - offset;
    const place = top === null || Math.abs(at - top) >= 1 ? at : top;
    if (place !== top) setTop(place);
    if (anchor?.still) {
      const moved = place + startOf(anchor.index + entered) - anchor.start;
      if (moved !== 0) {
        window.scrollBy(0, moved);
        redraw();
      }
    }
    const depth = window.scrollY + BAR - place;
    const index = Math.min(Math.max(0, Math.floor(depth / step)) + roomless, ids.length - 1);
    placed.current = { roomless, origin, anchor: { ids, index, start: place + startOf(index), still: depth > 0 } };
    if (roomless !== 0 && !scrolling.current && depth < OVERSCAN * step) {
      placed.current.roomless = 0;
      redraw();
    }
  });

  const focused = useRef<{ id: string; index: number } | null>(null);
  const indexes = Array.from({ length: Math.max(0, range.last - range.first + 1) }, (_, n) => range.first + n);
  const kept = focused.current === null ? -1 : indexNear(ids, focused.current.id, focused.current.index);
  if (kept > range.last) indexes.push(kept);
  if (kept !== -1 && kept < range.first) indexes.unshift(kept);
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
    rows: indexes.map(
      (index): RowPlace => ({
        index,
        id: ids[index] as string,
        top: (Math.max(roomless, index) - origin) * step,
      }),
    ),
    range,
    height: startOf(ids.length),
    offset,
    pitch: step,
    roomless,
    rowHeight,
    handlers: { onFocus, onBlur },
  };
}
