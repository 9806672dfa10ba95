import { useMediaQuery } from '@mantine/hooks';
import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Anchor, indexNear, layoutAfter, type RowLayout } from './row-layout.ts';

/**
 * The height of a table's rows, in pixels at the browser's default text size. On a phone, each row is displayed as a
 * card.
 */
export interface RowHeight {
  row: number;
  card: number;
}

/** The media query for phone widths, at which rows are displayed as cards. Must match `--phone` in breakpoints.css. */
export const CARDS = '(width < 48em)';
/** How many extra rows are rendered above and below the screen, ready for scrolling. */
const OVERSCAN = 12;
/** The space above each card, in pixels. Must match data-table.module.css. */
const CARD_GAP = 12;
/** The height of the bar at the top of the screen, in pixels. Must match `--bar-height` in tokens.css. */
export const BAR = 64;
/**
 * How long rows must stay in place after a keystroke or a `scrollend` event, in milliseconds. Scrolling starts only a
 * few frames after a keystroke. A `scrollend` event may come from a scroll by a script while the user's own scroll is
 * still in progress.
 */
const SCROLL_PAUSE = 150;

/** A rendered row, `top` pixels below the layout's origin. */
export interface RowPlace {
  id: string;
  index: number;
  top: number;
}

/** The row with the keyboard focus, and its index when it got the focus. */
export type FocusedRow = Pick<RowPlace, 'id' | 'index'>;

const textScale = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;

/**
 * Renders only the rows on or near the screen, in a page that scrolls as a whole. `focused`, the row with the keyboard
 * focus, stays rendered while it is off the screen. Rows that enter above the screen don't move the visible rows
 * (`RowLayout`).
 */
export function useVirtualRows(
  ids: readonly string[],
  height: RowHeight,
  body: RefObject<HTMLTableSectionElement | null>,
  focused: RefObject<FocusedRow | null>,
) {
  const cards = useMediaQuery(CARDS, undefined, { getInitialValueInEffect: false });
  const [scale] = useState(textScale);
  const rowHeight = Math.round((cards ? height.card : height.row) * scale);
  const pitch = rowHeight + (cards ? CARD_GAP : 0);
  /** The distance from the top of the page to the first row's slot, in pixels. Null until the first layout. */
  const [top, setTop] = useState<number | null>(null);
  const [, redraw] = useReducer((times: number) => times + 1, 0);

  // The result of the last layout. It's updated after each layout and read by the next one.
  const last = useRef<RowLayout & { anchor: Anchor | null }>({ roomless: 0, origin: 0, anchor: null });
  const { anchor } = last.current;
  const { entered, roomless, origin } = layoutAfter(last.current, anchor, ids);
  const startOf = (index: number) => (index - roomless) * pitch;
  const offset = startOf(origin);

  const indexAt = (y: number) => Math.floor((y - (top ?? 0)) / pitch) + roomless;
  const rangeNow = () => ({
    first: Math.max(0, roomless, indexAt(window.scrollY) - OVERSCAN),
    last: Math.min(ids.length - 1, indexAt(window.scrollY + window.innerHeight) + OVERSCAN),
  });
  const range = rangeNow();

  const giveRoom = () => {
    last.current.roomless = 0;
    redraw();
  };
  const scrolling = useScrolling({
    moved() {
      const { first, last: end } = rangeNow();
      if (first !== range.first || end !== range.last) flushSync(redraw);
    },
    ended() {
      if (last.current.roomless !== 0) flushSync(giveRoom);
    },
    // In print, content that a transform has moved is clipped at the edge of the paper, so the transform is reset.
    printed() {
      last.current.origin = last.current.roomless;
      flushSync(redraw);
    },
  });

  useLayoutEffect(() => {
    const place = placeOfRooms();
    keepAnchorStill(place);
    const depth = window.scrollY + BAR - place;
    // If `roomless` is negative, the first slot on the screen may have no row. The list's first row is then used as the
    // anchor.
    const first = Math.max(0, Math.max(0, Math.floor(depth / pitch)) + roomless);
    const index = Math.min(first, ids.length - 1);
    last.current = { roomless, origin, anchor: { ids, index, start: place + startOf(index), still: depth > 0 } };
    const nearTop = depth < OVERSCAN * pitch;
    if (roomless !== 0 && nearTop && !scrolling.current) giveRoom();
  });

  /**
   * Returns the distance from the top of the page to the first row's slot. The distance is measured each time, because
   * the content above the table may change height. Differences of less than a pixel are ignored.
   */
  function placeOfRooms(): number {
    const measured = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY - offset;
    if (top !== null && Math.abs(measured - top) < 1) return top;
    setTop(measured);
    return measured;
  }

  /**
   * Scrolls the page by the distance that the anchor row has moved, so that the row stays in the same place on the
   * screen.
   */
  function keepAnchorStill(place: number): void {
    if (!anchor?.still) return;
    const moved = place + startOf(anchor.index + entered) - anchor.start;
    if (moved === 0) return;
    window.scrollBy(0, moved);
    redraw();
  }

  const indexes = Array.from({ length: Math.max(0, range.last - range.first + 1) }, (_, n) => range.first + n);
  const kept = focused.current === null ? -1 : indexNear(ids, focused.current.id, focused.current.index);
  if (kept !== -1 && kept < range.first) indexes.unshift(kept);
  // The focused row can also come after the range if the table is far below the screen, because `range.last` is then
  // negative.
  if (kept !== -1 && kept > range.last) indexes.push(kept);

  return {
    rows: indexes.map(
      (index): RowPlace => ({
        index,
        id: ids[index] as string,
        top: (Math.max(roomless, index) - origin) * pitch,
      }),
    ),
    range,
    height: startOf(ids.length),
    offset,
    pitch,
    roomless,
    rowHeight,
  };
}

interface ScrollHandlers {
  /** called on each scroll event and when the window is resized */
  moved: () => void;
  /** called when the page hasn't scrolled for `SCROLL_PAUSE` */
  ended: () => void;
  /** called before the page is printed */
  printed: () => void;
}

/** Tracks whether the page is scrolling. The returned ref is true while the page is scrolling. */
function useScrolling(handlers: ScrollHandlers): RefObject<boolean> {
  const scrolling = useRef(false);
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    let pause: ReturnType<typeof setTimeout> | undefined;
    const ended = () => {
      scrolling.current = false;
      latest.current.ended();
    };
    const endsSoon = () => {
      scrolling.current = true;
      clearTimeout(pause);
      pause = setTimeout(ended, SCROLL_PAUSE);
    };
    const scrolled = () => {
      endsSoon();
      if ('onscrollend' in window) clearTimeout(pause);
      latest.current.moved();
    };
    const listeners = Object.entries({
      scroll: scrolled,
      scrollend: endsSoon,
      keydown: endsSoon,
      resize: () => latest.current.moved(),
      beforeprint: () => latest.current.printed(),
    });
    for (const [type, listener] of listeners) window.addEventListener(type, listener, { passive: true });
    return () => {
      clearTimeout(pause);
      for (const [type, listener] of listeners) window.removeEventListener(type, listener);
    };
  }, []);
  return scrolling;
}
