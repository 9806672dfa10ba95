/** Maps each key to its command. The keys are written as in `BOARD_KEYS`, e.g. `Shift x`. */
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
  r: 'refund',
  '/': 'search',
  '?': 'help',
  1: 'filter1',
  2: 'filter2',
  3: 'filter3',
  4: 'filter4',
} as const;

/** A board command that has a keyboard shortcut. */
export type BoardCommand = (typeof COMMANDS)[keyof typeof COMMANDS];

/** The board's keyboard shortcuts and their descriptions, as shown in the help dialog. */
export const BOARD_KEYS: readonly { keys: string; does: string }[] = [
  { keys: 'j', does: 'Next order' },
  { keys: 'k', does: 'Previous order' },
  { keys: 'Enter', does: 'Open the order' },
  { keys: 'x', does: 'Select the order' },
  { keys: 'Shift x', does: 'Select a range up to this order' },
  { keys: 'Ctrl a', does: 'Select all orders in the list' },
  { keys: 's', does: 'Ship the order, or all selected orders' },
  { keys: 'u', does: 'Undo the last shipment, then the one before it' },
  { keys: 'p', does: 'Print packing slips' },
  { keys: 'r', does: 'Refund the order' },
  { keys: '/', does: 'Search' },
  { keys: '1 2 3 4', does: 'Filter by “All”, “To deliver”, “Payment pending” or “Shipped”' },
  { keys: '?', does: 'Show this list' },
];

const commandOf = (key: string): BoardCommand | undefined =>
  Object.entries(COMMANDS).find(([name]) => name === (key === 'X' ? 'Shift x' : key))?.[1];

/** Returns the key that runs a command, written as in `BOARD_KEYS`, e.g. `Shift x`. */
export const keyOf = (command: BoardCommand): string | undefined =>
  Object.entries(COMMANDS).find(([, does]) => does === command)?.[0];

/** Key presses that are less than `SCANNER_PACE` milliseconds apart are assumed to come from a barcode scanner. */
export const SCANNER_PACE = 30;

/** One keydown event. */
export interface KeyPress {
  key: string;
  /** time of the event, in milliseconds */
  at: number;
  /** whether the key is being held down */
  repeat: boolean;
  /** whether Ctrl, Cmd or Alt is held down */
  modified: boolean;
  /** whether Alt is held down. If it is, the key isn't a board command, even if Ctrl is held down too. */
  alt: boolean;
}

/**
 * Successive key presses that may be a scan, because each follows the previous one within `SCANNER_PACE` milliseconds.
 */
interface KeyRun {
  text: string;
  lastAt: number;
  /**
   * the command of the first key, until a second key arrives. If no second key arrives within `SCANNER_PACE`
   * milliseconds, the first key was pressed by a person, and its command runs.
   */
  pending?: BoardCommand | undefined;
}

export const NO_KEYS: KeyRun = { text: '', lastAt: Number.NEGATIVE_INFINITY };

/**
 * Adds a key press to `run` and returns the new run. If the key press is the Enter that ends a scan, also returns the
 * scanned text. If the key press can't be part of a scan, returns the key's `command`, which the caller must run
 * immediately.
 *
 * For example, after an `s`, the run's `pending` command is `ship`. If an `f` follows 10 ms later, `sf` is the start of
 * a scanned text, and no command is pending.
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
  // Keys such as Shift don't end a scan, because a scanner presses Shift for capital letters.
  if (key.length > 1) return { run };
  if (isQuick) return { run: { text: run.text + key, lastAt: at } };
  const command = commandOf(key);
  if (!repeat) return { run: { text: key, lastAt: at, pending: command } };
  // When a key is held down, only commands that move between rows are repeated.
  const moves = command === 'next' || command === 'previous';
  return { run: { ...run, lastAt: at }, command: moves ? command : undefined };
}
