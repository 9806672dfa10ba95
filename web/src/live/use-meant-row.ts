import { type MouseEvent, type RefObject, useCallback, useLayoutEffect, useRef } from 'react';

/** Nobody sees that a row has moved and takes the click back within this time, in milliseconds. */
const REACTION = 500;

/** Where rows of one height stand on the screen, in pixels: the row of `index` begins at `top`. */
interface Places {
  index: number;
  top: number;
  left: number;
  pitch: number;
}

/** The rows before they moved. */
interface Shift {
  at: number;
  ids: readonly string[];
  places: Places;
}

/** A place within a row, in pixels from its top left corner. */
export interface MeantPlace {
  id: string;
  x: number;
  y: number;
}

function placesIn(area: HTMLElement | null): Places | null {
  const [row, next] = area?.querySelectorAll<HTMLElement>('tr[data-index]') ?? [];
  if (row === undefined) return null;
  const { top, left, height } = row.getBoundingClientRect();
  const pitch = next === undefined ? height : next.getBoundingClientRect().top - top;
  return { index: Number(row.dataset.index), top, left, pitch };
}

/**
 * Tells which row a click means: within half a second of a shift the one that was under the pointer before it. All rows of
 * `area` have one height, and carry their index as `data-index`. Null: the click means what it hits.
 */
export function useMeantRow(ids: readonly string[], area: RefObject<HTMLElement | null>) {
  const shown = useRef(ids);
  const shifts = useRef<Shift[]>([]);
  // The rows are still where they were.
  const places = shown.current === ids ? null : placesIn(area.current);
  useLayoutEffect(() => {
    if (shown.current === ids) return;
    const at = performance.now();
    const recent = shifts.current.filter((shift) => at - shift.at < REACTION);
    shifts.current = places === null ? recent : [...recent, { at, ids: shown.current, places }];
    shown.current = ids;
  });

  return useCallback((event: MouseEvent): MeantPlace | null => {
    // When the hand pressed: a busy page takes the click later.
    const shift = shifts.current.find(({ at }) => event.timeStamp - at < REACTION);
    // A key presses what has the focus, wherever that has moved.
    if (shift === undefined || event.detail === 0) return null;
    const { index, top, left, pitch } = shift.places;
    const rows = Math.floor((event.clientY - top) / pitch);
    const id = shift.ids[index + rows];
    return id === undefined ? null : { id, x: event.clientX - left, y: event.clientY - top - rows * pitch };
  }, []);
}
