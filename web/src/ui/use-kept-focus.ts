import { useEffect } from 'react';

/** The element that has the focus or last had it, and where that element is on the page. */
interface Place {
  element: HTMLElement;
  /** the parts of the page that contain the element, innermost first */
  around: readonly Element[];
  /** the dialog or order drawer that contains the element */
  aside: Element | null;
  /** where the focus was before it moved into `aside` */
  opener: Place | null;
  path: string;
}

const ASIDE = '[role=dialog], [data-order-drawer]';
/**
 * Selects the parts of a page that are searched for the next element to focus. When the focused element is removed or
 * disabled, the focus moves to the element marked `data-focus-heir` in the innermost part around it that contains one.
 * For example, if a button above a table is removed, the focus moves to the marked element of the section that contains
 * the button and the table, not to a table row.
 */
const PART = 'tr, tbody, form, section, article, main, [role=dialog]';
const HEIR = '[data-focus-heir]';

/**
 * The element that last had the focus, or null if the user has since moved the focus off it without focusing another
 * element.
 */
let last: Place | null = null;
let keeping = false;

/**
 * Keeps the focus from falling back to the body when the focused element is removed or disabled, for example because a
 * dialog closes, a form is sent or a push redraws a row. The focus moves to the element marked `data-focus-heir` in the
 * innermost part of the page that has such an element. In a table, the focus moves to the row that took the old row's
 * place. When a dialog closes, the focus returns to the element that had it before the dialog opened.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    if (keeping) return;
    keeping = true;
    document.addEventListener('focusin', noteFocus);
    document.addEventListener('focusout', noteLeave);
    const changes = { subtree: true, childList: true, attributeFilter: ['disabled'] };
    new MutationObserver(passOn).observe(document.body, changes);
  }, []);
}

function noteFocus({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const aside = target.closest(ASIDE);
  const opener = aside === null ? null : aside === last?.aside ? last.opener : last;
  last = { element: target, around: partsAround(target), aside, opener, path: window.location.pathname };
}

function partsAround(element: Element): Element[] {
  const part = element.parentElement?.closest(PART);
  return part ? [part, ...partsAround(part)] : [];
}

/** An element may lose the focus just before it is removed, so the check waits until after the removal. */
function noteLeave({ target }: FocusEvent): void {
  queueMicrotask(() => {
    if (last?.element === target && isUsable(last.element) && document.activeElement === document.body) last = null;
  });
}

function passOn(): void {
  if (last === null || document.activeElement !== document.body) return;
  // A newly opened page sets the focus itself.
  if (last.path !== window.location.pathname) last = null;
  else heirOf(last)?.focus({ preventScroll: true });
}

const isUsable = (element: HTMLElement) => element.isConnected && !element.matches(':disabled');

function heirOf({ element, around, aside, opener }: Place): HTMLElement | null {
  const row = element.closest('tr');
  // If a form is rejected, the focus moves to the alert with the reason. Alerts outside the form are unrelated, so only
  // the form is searched.
  if (isUsable(element)) return element.closest('form')?.querySelector<HTMLElement>(HEIR) ?? element;
  // Outside a table, a disabled control is only busy, so wait until it's enabled again.
  if (element.isConnected && row === null) return null;
  if (aside?.isConnected === false) {
    const heir = opener && heirOf(opener);
    return heir || opener?.element.isConnected ? heir : document.getElementById('content');
  }
  for (const part of around.filter(({ isConnected }) => isConnected)) {
    const heir = row !== null && part.matches('tbody') ? heirInRows(part, element, row) : heirIn(part);
    if (heir) return heir;
  }
  return null;
}

const heirIn = (part: Element | null) =>
  part instanceof HTMLElement && part.matches(HEIR) ? part : part?.querySelector<HTMLElement>(HEIR);

/**
 * Searches the row that is now at the index of `row`, and then the row above. In each row, looks for an element that
 * matches `HEIR`, then for a control in the same column as `element`, and then for any control.
 */
function heirInRows(rows: Element, element: Element, row: HTMLTableRowElement) {
  const cell = element.closest('td')?.cellIndex ?? 0;
  const at = Number(row.getAttribute('aria-rowindex'));
  for (const index of [at, at - 1]) {
    const next = rows.querySelector<HTMLTableRowElement>(`tr[aria-rowindex="${index}"]`);
    const heir = heirIn(next) ?? controlIn(next?.cells[cell]) ?? controlIn(next);
    if (heir) return heir;
  }
  return null;
}

const controlIn = (part: Element | null | undefined) => part?.querySelector<HTMLElement>('button:enabled, a');
