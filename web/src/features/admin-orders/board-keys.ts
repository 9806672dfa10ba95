/** What a key of the board does. */
export type BoardCommand =
  | 'next'
  | 'previous'
  | 'open'
  | 'select'
  | 'selectRange'
  | 'selectAll'
  | 'ship'
  | 'undo'
  | 'search'
  | 'print'
  | 'help'
  | 'filter1'
  | 'filter2'
  | 'filter3'
  | 'filter4';

/** Every key, as the list of keys shows them. */
export const BOARD_KEYS: readonly { keys: string; does: string }[] = [
  { keys: 'j', does: 'Next order' },
  { keys: 'k', does: 'Order before' },
  { keys: 'Enter', does: 'Open the order' },
  { keys: 'x', does: 'Select the order' },
  { keys: 'Shift x', does: 'Select as far as this order' },
  { keys: 'Ctrl a', does: 'Select all orders in the list' },
  { keys: 's', does: 'Ship the order, or all that are selected' },
  { keys: 'u', does: 'Undo the last shipping, then the one before' },
  { keys: 'p', does: 'Print packing slips' },
  { keys: '/', does: 'Search' },
  { keys: '1 2 3 4', does: 'All, To deliver, Payment pending, Shipped' },
  { keys: '?', does: 'This list' },
];

const COMMANDS: Readonly<Record<string, BoardCommand>> = {
  j: 'next',
  k: 'previous',
  x: 'select',
  X: 'selectRange',
  s: 'ship',
  u: 'undo',
  p: 'print',
  '/': 'search',
  '?': 'help',
  1: 'filter1',
  2: 'filter2',
  3: 'filter3',
  4: 'filter4',
};

/** The key of a command, as the list of keys shows it. */
export function keyOf(command: BoardCommand): string {
  if (command === 'open') return 'Enter';
  if (command === 'selectAll') return 'Ctrl a';
  const [key = ''] = Object.entries(COMMANDS).find(([, does]) => does === command) ?? [];
  return key === 'X' ? 'Shift x' : key;
}

/** Keys that come faster than this after each other are typed by a scanner, in milliseconds. */
export const SCANNER_PACE = 30;

/** One key that goes down. */
export interface KeyPress {
  key: string;
  /** when, in milliseconds */
  at: number;
  /** it is held down */
  repeat: boolean;
  /** Ctrl, Alt or the command key is held with it */
  modified: boolean;
}

/** The keys that came at a scanner's pace so far, and what the only one of them means if none follows. */
export interface KeyRun {
  text: string;
  lastAt: number;
  command: BoardCommand | null;
}

export const NO_KEYS: KeyRun = { text: '', lastAt: Number.NEGATIVE_INFINITY, command: null };

/**
 * `run` with one more key. `scanned` is the text of a scanner's burst, which ends in Enter; `command` is what a key means that
 * no scanner sends. What another key means is known only when none has followed it for `SCANNER_PACE`: the run's `command`.
 */
export function pressKey(
  run: KeyRun,
  { key, at, repeat, modified }: KeyPress,
): { run: KeyRun; command?: BoardCommand; scanned?: string } {
  if (modified) return key === 'a' ? { run: NO_KEYS, command: 'selectAll' } : { run: NO_KEYS };
  const quick = !repeat && at - run.lastAt < SCANNER_PACE;
  if (key === 'Enter') {
    if (quick && run.text !== '') return { run: NO_KEYS, scanned: run.text };
    return repeat ? { run: NO_KEYS } : { run: NO_KEYS, command: 'open' };
  }
  // Shift and the like: a scanner holds it for a capital.
  if (key.length > 1) return { run };
  if (repeat) {
    const moves = key === 'j' || key === 'k';
    return { run: { ...run, lastAt: at }, ...(moves && COMMANDS[key] ? { command: COMMANDS[key] } : {}) };
  }
  return {
    run: quick
      ? { text: run.text + key, lastAt: at, command: null }
      : { text: key, lastAt: at, command: COMMANDS[key] ?? null },
  };
}
