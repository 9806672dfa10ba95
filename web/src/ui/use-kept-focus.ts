import { useEffect } from 'react';

/** An element that has the focus, or had it last. */
interface Place {
  element: HTMLElement;
  /** the parts of the page around it, from the inside out */
  around: readonly Element[];
  /** the dialog or order drawer that contains it */
  aside: Element | null;
  /** the place that had the focus before it went into `aside` */
  opener: Place | null;
  path: string;
}

const ASIDE = '[role=dialog], [data-order-drawer]';
/** An heir inherits from its own part alone: no row has the focus because a button above the table has gone. */
const PART = 'tr, tbody, form, section, article, main, [role=dialog]';
const HEIR = '[data-focus-heir]';

/** Null once a person took the focus away from everything. */
let last: Place | null = null;
let keeping = false;

/**
 * Keeps the focus from falling to the body while the element that has it is removed or disabled. That happens under a keyboard
 * when a dialog closes, a form is sent or a push redraws a row. The focus goes to the element of the nearest part that is marked
 * with `data-focus-heir`. In a table it goes to the row that took the place, and a closed dialog gives it back to its opener.
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

/** An element that is removed may lose the focus just before that, so this looks after it. */
function noteLeave({ target }: FocusEvent): void {
  queueMicrotask(() => {
    if (last?.element === target && isUsable(last.element) && document.activeElement === document.body) last = null;
  });
}

function passOn(): void {
  if (last === null || document.activeElement !== document.body) return;
  // A page that was just opened has its own place for the focus.
  if (last.path !== window.location.pathname) last = null;
  else heirOf(last)?.focus({ preventScroll: true });
}

const isUsable = (element: HTMLElement) => element.isConnected && !element.matches(':disabled');

function heirOf({ element, around, aside, opener }: Place): HTMLElement | null {
  const row = element.closest('tr');
  // Refused forms say why. The form is searched, since an alert beyond it is about something else.
  if (isUsable(element)) return element.closest('form')?.querySelector<HTMLElement>(HEIR) ?? element;
  // A button that is busy will be enabled again.
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

/** Looks in the row, or in the row that took its place: first for an heir, then in the same column, then for any control. */
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
