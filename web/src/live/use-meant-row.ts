import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * The user's reaction time, in milliseconds. Nobody can notice a change on the page and stop a click faster than this.
 */
const REACTION = 500;

/** The positions of the rows on the screen before they moved, and the page's scroll position at that time. */
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
 * Returns a function that determines which element a click was meant for: the element that was under the pointer half a
 * second earlier. All rows in `area` must have the same columns. Each row needs a `data-index` attribute with its
 * index, and each control in a row needs a `data-action` attribute. A control that appears in a row already on the
 * screen also needs a `data-since` attribute, on itself or on an element around it. The attribute contains the time at
 * which the control appeared, from `performance.now()`.
 *
 * For example, if a new row is inserted above rows A and B just before the user presses B's button, the click hits A's
 * button instead. The function then returns B's button. If B's button had itself only just appeared, the click is
 * ignored, and the function returns null.
 */
export function useMeantRow(ids: readonly string[], area: RefObject<HTMLElement | null>) {
  const shown = useRef(ids);
  const shifts = useRef<readonly Shift[]>([]);
  // The DOM hasn't been updated yet, so `rowsIn` measures the old positions of the rows.
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
    // A click triggered from the keyboard is meant for the focused element, even if that element has moved.
    if (detail === 0 || target.closest('thead') !== null) return target;
    // The event's own timestamp is the time of the click. A busy page may handle the event later.
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
    // The user may have scrolled since the rows moved.
    const y = clientY + window.scrollY - (shift?.scrolled ?? 0);
    const before = shift?.rows.find(({ box }) => y >= box.top && y < box.bottom);
    if (before?.id === undefined) return hit;
    const row = area.current?.querySelector(`tr[data-index="${ids.indexOf(before.id)}"]`) ?? null;
    if (row === null || row.contains(hit)) return row && hit;
    const { left, top } = row.getBoundingClientRect();
    return controlIn(row, hit, clientX + left - before.box.left, y + top - before.box.top);
  }
}

/**
 * Returns the control in `row` at the given screen position. If there is none, returns the control in `row` that has
 * the same action as the control that was hit, or null.
 */
function controlIn(row: Element, hit: Element, x: number, y: number): Element | null {
  const kind = hit.closest<HTMLElement>('[data-action]')?.dataset.action;
  const isThere = (control: Element) => {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom;
  };
  const there = [...row.querySelectorAll('[data-action]')].find(isThere);
  return there ?? row.querySelector(`[data-action="${kind}"]`);
}
