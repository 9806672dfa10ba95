import type { RowAction } from './order-row.tsx';

/** How many animation frames to wait for a row to render after scrolling to it. */
const FRAMES = 10;

/** Returns the index of the row that contains `element`, or -1 if none does. */
export function rowIndexOf(element: Element | null): number {
  return Number(element?.closest<HTMLElement>('tr[data-index]')?.dataset.index ?? -1);
}

const rowsIn = (area: HTMLElement) => [...area.querySelectorAll<HTMLElement>('tr[data-index]')];

/** Returns the index of the first row that is fully visible below the table head. */
function topIndex(area: HTMLElement): number {
  const head = area.querySelector('thead')?.getBoundingClientRect().bottom ?? 0;
  const top = rowsIn(area).find((row) => row.getBoundingClientRect().top >= head - 1);
  return Math.max(0, rowIndexOf(top ?? null));
}

/** Focuses a row's `action` control, or its order number if that control is missing or disabled, and scrolls the row into view. */
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
  // The row isn't rendered yet. All rows have the same height, so the row's position can be calculated.
  const { top, height } = first.getBoundingClientRect();
  window.scrollBy(0, top + (at - rowIndexOf(first)) * height - window.innerHeight / 2);
  requestAnimationFrame(() => focusRow(area, at, action, frames - 1));
}
