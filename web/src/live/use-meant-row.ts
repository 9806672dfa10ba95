import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/** Nobody sees that the page has changed and takes the click back within this time, in milliseconds. */
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

function placesIn(area: HTMLElement | null): Places | null {
  const [row, next] = area?.querySelectorAll<HTMLElement>('tr[data-index]') ?? [];
  if (row === undefined) return null;
  const { top, left, height } = row.getBoundingClientRect();
  const pitch = next === undefined ? height : next.getBoundingClientRect().top - top;
  return { index: Number(row.dataset.index), top, left, pitch };
}

/**
 * Tells which element a click means: the one that was under the pointer half a second before. All rows of `area` have one height
 * and the same columns. They carry their index as `data-index`, and their controls `data-action`. What came up in a row that was
 * on the screen before says when by `data-since`.
 *
 * A row enters above B just before a hand presses B's button, and hits that of A instead: the click means B's. The button of B
 * itself came up just before: the click means nothing, which is null.
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

  return ({ target, detail, timeStamp, clientX, clientY }: MouseEvent): Element | null => {
    if (!(target instanceof Element)) return null;
    // A key presses what has the focus, wherever that has moved.
    if (detail === 0 || target.closest('thead') !== null) return target;
    // From when the hand pressed: a busy page takes the click later.
    const isUnseen = (at: number) => timeStamp - at < REACTION;
    const shift = shifts.current.find(({ at }) => isUnseen(at));
    const meant = shift === undefined ? target : elementBefore(shift, target, clientX, clientY);
    const since = meant?.closest<HTMLElement>('[data-since]')?.dataset.since;
    return since !== undefined && isUnseen(Number(since)) ? null : meant;
  };

  function elementBefore({ ids: before, places }: Shift, hit: Element, clientX: number, clientY: number) {
    const { index, top, left, pitch } = places;
    const rows = Math.floor((clientY - top) / pitch);
    const id = before[index + rows];
    if (id === undefined) return hit;
    const row = area.current?.querySelector(`tr[data-index="${ids.indexOf(id)}"]`) ?? null;
    if (row === null || row.contains(hit)) return row && hit;
    const now = row.getBoundingClientRect();
    return controlIn(row, hit, now.left + clientX - left, now.top + clientY - top - rows * pitch);
  }
}

/** The control of `row` at a place on the screen, or the one like what was hit: a control's neighbourhood may count as it. */
function controlIn(row: Element, hit: Element, x: number, y: number): Element | null {
  const kind = hit.closest<HTMLElement>('[data-action]')?.dataset.action;
  const isThere = (control: Element) => {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom;
  };
  const there = [...row.querySelectorAll('[data-action]')].find(isThere);
  return there ?? row.querySelector(`[data-action="${kind}"]`);
}
