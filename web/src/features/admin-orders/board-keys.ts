/** Each key of the board, as people call it, and its command. */
const COMMANDS = {
  j: 'next',
  k: 'previous',
  Enter: 'open',
  x: 'select',
  'Shift x': 'selectRange',
  'Ctrl a': 'selectAll',
  s: 'ship',
  u: 'undo',
  p: 'print',
  '/': 'search',
  '?': 'help',
  1: 'filter1',
  2: 'filter2',
  3: 'filter3',
  4: 'filter4',
} as const;

/** What a key of the board does. */
export type BoardCommand = (typeof COMMANDS)[keyof typeof COMMANDS];

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

const commandOf = (key: string): BoardCommand | undefined =>
  Object.entries(COMMANDS).find(([name]) => name === (key === 'X' ? 'Shift x' : key))?.[1];

/** The key of a command, as the list of keys shows it. */
export const keyOf = (command: BoardCommand): string | undefined =>
  Object.entries(COMMANDS).find(([, does]) => does === command)?.[0];

/** Keys that come faster than this after each other are typed by a scanner, in milliseconds. */
export const SCANNER_PACE = 30;

/** One key that goes down. */
export interface KeyPress {
  key: string;
  /** when, in milliseconds */
  at: number;
  /** it is held down */
  repeat: boolean;
  /** Ctrl, the command key or Alt is held with it */
  modified: boolean;
  /** Alt is held with it, so that it is the browser's in any case */
  alt: boolean;
}

/** The keys that came at a scanner's pace so far. */
interface KeyRun {
  text: string;
  lastAt: number;
  /** the command of the only key so far. It is obeyed once no other key has followed for `SCANNER_PACE`: then a person pressed it. */
  pending?: BoardCommand | undefined;
}

export const NO_KEYS: KeyRun = { text: '', lastAt: Number.NEGATIVE_INFINITY };

/**
 * `run` with one more key. `scanned` is the text of a scanner's burst, which ends in Enter. `command` must be
 * obeyed at once: its key begins no scanner's burst.
 *
 * An `s` alone leaves `ship` pending. Where an `f` follows 10 ms later, `sf` is a scanner's text, and nothing is pending.
 */
export function pressKey(
  run: KeyRun,
  { key, at, repeat, modified, alt }: KeyPress,
): { run: KeyRun; command?: BoardCommand | undefined; scanned?: string } {
  if (modified) return { run: NO_KEYS, command: key === 'a' && !alt ? 'selectAll' : undefined };
  const isQuick = !repeat && at - run.lastAt < SCANNER_PACE;
  if (key === 'Enter') {
    if (isQuick && run.text !== '') return { run: NO_KEYS, scanned: run.text };
    return { run: NO_KEYS, command: repeat ? undefined : 'open' };
  }
  // Shift and the like: a scanner holds it for a capital.
  if (key.length > 1) return { run };
  if (isQuick) return { run: { text: run.text + key, lastAt: at } };
  const command = commandOf(key);
  if (!repeat) return { run: { text: key, lastAt: at, pending: command } };
  // A key that is held down moves on, and does nothing else.
  const moves = command === 'next' || command === 'previous';
  return { run: { ...run, lastAt: at }, command: moves ? command : undefined };
}
