import { useLocalStorage } from '@mantine/hooks';
import { readOrderNumber } from '@micro-center/services/contracts/order-number.ts';
import { useEffect, useEffectEvent } from 'react';
import { type BoardCommand, NO_KEYS, pressKey, SCANNER_PACE } from './board-keys.ts';

/** Whether this browser's keys of the board are on: some people speak or stumble over letters (WCAG 2.1.4). */
export function useKeysOn() {
  return useLocalStorage({ key: 'boardKeys', defaultValue: true, getInitialValueInEffect: false });
}

const TEXT_FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]';
const PRESSED_BY_ENTER = 'button, a[href], summary';

const DIALOG = '[aria-modal="true"]';

interface BoardKeys {
  on: boolean;
  onCommand: (command: BoardCommand) => void;
  /** Takes a scanner's text; `typed`: a text field has taken it already. */
  onScan: (text: string, typed: boolean) => void;
}

/** A dialog or an open order has the focus. A dialog whose focused part has gone keeps the keys as well. */
const isAside = (target: Element) =>
  target.closest(`${DIALOG}, [data-order-drawer]`) !== null ||
  (target === document.body && document.querySelector(DIALOG) !== null);

/**
 * Reads keys wherever the focus is: those of people as commands, those of a scanner as one text. A field, a dialog and an open
 * order keep the keys of people.
 */
export function useBoardKeys({ on, onCommand, onScan }: BoardKeys): void {
  const obey = useEffectEvent(onCommand);
  const scan = useEffectEvent(onScan);
  const isFor = useEffectEvent((target: Element, inText: boolean) => on && !inText && !isAside(target));
  useEffect(() => {
    let run = NO_KEYS;
    let timer: ReturnType<typeof setTimeout> | undefined;

    /** Obeys the key that is pending: it was a person's. */
    const settle = () => {
      clearTimeout(timer);
      const { pending } = run;
      run = { ...run, pending: undefined };
      if (pending !== undefined) obey(pending);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, timeStamp: at, repeat } = event;
      const before = document.activeElement;
      // Where the page is busy, the next key comes before the timer of the last one.
      if (at - run.lastAt >= SCANNER_PACE) settle();
      const target = document.activeElement === before ? event.target : document.activeElement;
      if (!(target instanceof Element) || event.isComposing) return;
      const inText = target.closest(TEXT_FIELDS) !== null;
      const { altKey: alt } = event;
      const modified = event.ctrlKey || event.metaKey || alt;
      const { command, scanned, ...pressed } = pressKey(run, { key, at, repeat, modified, alt });
      run = pressed.run;
      if (scanned !== undefined) {
        // An order's number sends no form that it was typed into.
        if (!inText || readOrderNumber(scanned) !== undefined) event.preventDefault();
        scan(scanned, inText);
      } else if (!isFor(target, inText)) {
        run = { ...run, pending: undefined };
      } else if (command !== undefined) {
        if (command === 'open' && target.closest(PRESSED_BY_ENTER) !== null) return;
        event.preventDefault();
        obey(command);
      } else if (run.pending !== undefined) {
        timer = setTimeout(settle, SCANNER_PACE);
        // A search of the browser's own would begin here.
        if (key === '/' || key === '?') event.preventDefault();
      }
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', onKeyDown, true);
    };
  }, []);
}
