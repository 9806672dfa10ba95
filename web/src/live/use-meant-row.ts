import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/** Nobody sees that the page has changed and takes the click back within this time, in milliseconds. */
const REACTION = 500;

/** Where the rows on the screen were before they moved, and how far the page was scrolled then. */
interface Shift {
  at: number;
  scrolled: number;
  rows: readonly { id: string | undefined; box: DOMRect }[];
}

const rowsIn = (area: HTMLElement | null, ids: readonly string[]): Shift['rows'] =>
  Array.from(area?.querySelectorAll<HTMLElement>('tr[data-index]') ?? [], (row) => ({
    id: ids[Number(row.dataset.index)],
    box: row.getBoundingClientRect(),
  }));

/**
 * Tells which element a click means: the one that was under the pointer half a second before. The rows of `area` have the same
 * columns. They carry their index as `data-index`, and their controls `data-action`. A control that came up in a row that was on
 * the screen before says when by `data-since`.
 *
 * A new row enters just before a hand presses the button of B, and the hand hits that of A instead: the click means B's. Where
 * B's button itself came up just before, the click means nothing, which is null.
 */
export function useMeantRow(ids: readonly string[], area: RefObject<HTMLElement | null>) {
  const shown = useRef(ids);
  const shifts = useRef<readonly Shift[]>([]);
  // The rows are still where they were.
  const rows = shown.current === ids ? [] : rowsIn(area.current, shown.current);
  useLayoutEffect(() => {
    if (shown.current === ids) return;
    shown.current = ids;
    const at = performance.now();
    const recent = shifts.current.filter((shift) => at - shift.at < REACTION);
    shifts.current = [...recent, { at, scrolled: window.scrollY, rows }];
  });

  return (event: MouseEvent): Element | null => {
    const { target, detail, timeStamp } = event;
    if (!(target instanceof Element)) return null;
    // A key presses what has the focus, wherever that has moved.
    if (detail === 0 || target.closest('thead') !== null) return target;
    // From when the hand pressed: a busy page takes the click later.
    const isUnseen = (at: number) => timeStamp - at < REACTION;
    const meant = elementBefore(
      shifts.current.find(({ at }) => isUnseen(at)),
      target,
      event,
    );
    const since = meant?.closest<HTMLElement>('[data-since]')?.dataset.since;
    return since !== undefined && isUnseen(Number(since)) ? null : meant;
  };

  function elementBefore(shift: Shift | undefined, hit: Element, { clientX, clientY }: MouseEvent): Element | null {
    // The hand may have scrolled since.
    const y = clientY + window.scrollY - (shift?.scrolled ?? 0);
    const before = shift?.rows.find(({ box }) => y >= box.top && y < box.bottom);
    if (before?.id === undefined) return hit;
    const row = area.current?.querySelector(`tr[data-index="${ids.indexOf(before.id)}"]`) ?? null;
    if (row === null || row.contains(hit)) return row && hit;
    const { left, top } = row.getBoundingClientRect();
    return controlIn(row, hit, clientX + left - before.box.left, y + top - before.box.top);
  }
}

/** The control of `row` at a place on the screen, or the one like the control that was hit. Null beside all controls. */
function controlIn(row: Element, hit: Element, x: number, y: number): Element | null {
  const kind = hit.closest<HTMLElement>('[data-action]')?.dataset.action;
  const isThere = (control: Element) => {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom;
  };
  const there = [...row.querySelectorAll('[data-action]')].find(isThere);
  return there ?? row.querySelector(`[data-action="${kind}"]`);
}
