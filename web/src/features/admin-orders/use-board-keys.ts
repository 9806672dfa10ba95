import { useLocalStorage } from '@mantine/hooks';
import { readOrderNumber } from '@micro-center/services/contracts/order-number.ts';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { type BoardCommand, NO_KEYS, pressKey, SCANNER_PACE } from './board-keys.ts';

/** Whether this browser's keys of the board are on: some people speak or stumble over letters (WCAG 2.1.4). */
export function useKeysOn() {
  return useLocalStorage({ key: 'boardKeys', defaultValue: true, getInitialValueInEffect: false });
}

const TEXT_FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]';
const PRESSED_BY_ENTER = 'button, a[href], summary';

interface BoardKeys {
  on: boolean;
  /** Does what a key says; answers whether it did. */
  onCommand: (command: BoardCommand) => void;
  /** Takes a scanner's text; `typed`: a text field has taken it already. */
  onScan: (text: string, typed: boolean) => void;
}

/** Reads keys while the focus is within the board: those of people as commands, those of a scanner as one text. */
export function useBoardKeys({ on, onCommand, onScan }: BoardKeys) {
  const run = useRef(NO_KEYS);
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef({ on, onCommand, onScan });
  latest.current = { on, onCommand, onScan };
  useEffect(() => () => clearTimeout(waiting.current), []);

  const settle = () => {
    const { command } = run.current;
    run.current = { ...run.current, command: null };
    if (command !== null && latest.current.on) latest.current.onCommand(command);
  };
  return (event: KeyboardEvent) => {
    const { target, currentTarget, key, timeStamp: at, repeat } = event;
    if (!(target instanceof HTMLElement) || event.nativeEvent.isComposing) return;
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    const inText = target.closest(TEXT_FIELDS) !== null;
    const before = run.current;
    const pressed = pressKey(before, { key, at, repeat, modified });
    run.current = pressed.run;
    if (pressed.run !== before) clearTimeout(waiting.current);
    if (pressed.scanned !== undefined) {
      // An order's number sends no form that it was typed into.
      if (!inText || readOrderNumber(pressed.scanned) !== undefined) event.preventDefault();
      latest.current.onScan(pressed.scanned, inText);
      return;
    }
    // What the board has opened is no part of it: React alone says that a dialog's keys come by here.
    const aside = !currentTarget.contains(target) || target.closest('[data-order-drawer]') !== null;
    if (inText || aside) {
      run.current = { ...run.current, command: null };
      return;
    }
    if (pressed.command !== undefined && latest.current.on) {
      if (pressed.command === 'open' && target.closest(PRESSED_BY_ENTER) !== null) return;
      event.preventDefault();
      latest.current.onCommand(pressed.command);
      return;
    }
    if (pressed.run.command !== null) waiting.current = setTimeout(settle, SCANNER_PACE);
    // A search of the browser's own would begin here.
    if (pressed.run.command !== null && latest.current.on && (key === '/' || key === '?')) event.preventDefault();
  };
}
