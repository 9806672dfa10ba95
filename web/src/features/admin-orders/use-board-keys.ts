import { useLocalStorage } from '@mantine/hooks';
import { readOrderNumber } from '@micro-center/services/contracts/order/order-number.ts';
import { useEffect, useEffectEvent } from 'react';
import { type BoardCommand, NO_KEYS, pressKey, SCANNER_PACE } from './board-keys.ts';

/**
 * Whether the board's keyboard shortcuts are on in this browser. Users must be able to turn off single-letter shortcuts
 * (WCAG 2.1.4), because speech input or a stray key press can trigger them.
 */
export function useKeysOn() {
  return useLocalStorage({ key: 'boardKeys', defaultValue: true, getInitialValueInEffect: false });
}

const TEXT_FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, [contenteditable=true]';
const PRESSED_BY_ENTER = 'button, a[href], summary';

const DIALOG = '[aria-modal="true"]';

interface BoardKeys {
  on: boolean;
  onCommand: (command: BoardCommand) => void;
  /** Receives scanned text. `typed` is true if a text field already contains the text. */
  onScan: (text: string, typed: boolean) => void;
}

/** Whether a dialog or an open order has the focus. While a dialog is open, focus on the body counts as focus in the dialog. */
const isAside = (target: Element) =>
  target.closest(`${DIALOG}, [data-order-drawer]`) !== null ||
  (target === document.body && document.querySelector(DIALOG) !== null);

/**
 * Handles key presses wherever the focus is. Key presses at human speed are commands, and a scanner's fast key presses
 * are read as one text. While a text field, a dialog or an open order has the focus, or while `on` is false, only scans
 * are handled.
 */
export function useBoardKeys({ on, onCommand, onScan }: BoardKeys): void {
  const obey = useEffectEvent(onCommand);
  const scan = useEffectEvent(onScan);
  const isFor = useEffectEvent((target: Element, inText: boolean) => on && !inText && !isAside(target));
  useEffect(() => {
    let run = NO_KEYS;
    let timer: ReturnType<typeof setTimeout> | undefined;

    /** Runs the pending command, now that it's clear that its key was pressed by a person and not by a scanner. */
    const settle = () => {
      clearTimeout(timer);
      const { pending } = run;
      run = { ...run, pending: undefined };
      if (pending !== undefined) obey(pending);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, timeStamp: at, repeat } = event;
      const before = document.activeElement;
      // On a busy page, the next key can arrive before the previous key's timer fires. In that case, run the pending
      // command now.
      if (at - run.lastAt >= SCANNER_PACE) settle();
      const target = document.activeElement === before ? event.target : document.activeElement;
      if (!(target instanceof Element) || event.isComposing) return;
      const inText = target.closest(TEXT_FIELDS) !== null;
      const { altKey: alt } = event;
      const modified = event.ctrlKey || event.metaKey || alt;
      const { command, scanned, ...pressed } = pressKey(run, { key, at, repeat, modified, alt });
      run = pressed.run;
      if (scanned !== undefined) {
        // A scanner ends each scan with Enter. If an order number is scanned into a form, that Enter must not submit
        // the form.
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
        // Some browsers open their own search when one of these keys is pressed, so prevent that.
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
