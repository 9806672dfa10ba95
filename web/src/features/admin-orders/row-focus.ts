import type { RowAction } from './order-row.tsx';

/** Frames in which a row that is scrolled to is waited for. */
const FRAMES = 10;

/** The index of the row that contains `element`; -1 outside the rows. */
export function rowIndexOf(element: Element | null): number {
  return Number(element?.closest<HTMLElement>('tr[data-index]')?.dataset.index ?? -1);
}

const rowsIn = (area: HTMLElement) => [...area.querySelectorAll<HTMLElement>('tr[data-index]')];

/** The first row that is wholly on the screen, below what stands above the rows. */
function topIndex(area: HTMLElement): number {
  const head = area.querySelector('thead')?.getBoundingClientRect().bottom ?? 0;
  const top = rowsIn(area).find((row) => row.getBoundingClientRect().top >= head - 1);
  return Math.max(0, rowIndexOf(top ?? null));
}

/** Gives the focus to the control of `action` in a row, or to its number, and scrolls it into sight. */
export function focusRow(area: HTMLElement | null, index: number | 'top', action: RowAction, frames = FRAMES): void {
  if (area === null) return;
  const at = index === 'top' ? topIndex(area) : index;
  const row = area.querySelector<HTMLElement>(`tr[data-index="${at}"]`);
  if (row !== null) {
    const control =
      row.querySelector<HTMLElement>(`[data-action=${action}]:enabled`) ??
      row.querySelector<HTMLElement>('[data-action=open]');
    control?.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
    return;
  }
  const [first] = rowsIn(area);
  if (first === undefined || frames === 0) return;
  // Not drawn yet: all rows are of one height.
  const { top, height } = first.getBoundingClientRect();
  window.scrollBy(0, top + (at - rowIndexOf(first)) * height - window.innerHeight / 2);
  requestAnimationFrame(() => focusRow(area, at, action, frames - 1));
}
