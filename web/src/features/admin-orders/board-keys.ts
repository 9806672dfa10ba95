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
  '/': 'search',
  '?': 'help',
  1: 'filter1',
  2: 'filter2',
  3: 'filter3',
  4: 'filter4',
} as const;

/** A command that can be run with one of the board's keys. */
export type BoardCommand = (typeof COMMANDS)[keyof typeof COMMANDS];

/** Every key and its description, as shown in the list of keys. */
export const BOARD_KEYS: readonly { keys: string; does: string }[] = [
  { keys: 'j', does: 'Next order' },
  { keys: 'k', does: 'Previous order' },
  { keys: 'Enter', does: 'Open the order' },
  { keys: 'x', does: 'Select the order' },
  { keys: 'Shift x', does: 'Select a range up to this order' },
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

/** Returns the key that runs a command, written as in `BOARD_KEYS`, e.g. `Shift x`. */
export const keyOf = (command: BoardCommand): string | undefined =>
  Object.entries(COMMANDS).find(([, does]) => does === command)?.[0];

/** Key presses that are less than `SCANNER_PACE` milliseconds apart come from a scanner. */
export const SCANNER_PACE = 30;

/** One keydown event. */
export interface KeyPress {
  key: string;
  /** time of the event, in milliseconds */
  at: number;
  /** the key is held down */
  repeat: boolean;
  /** Ctrl, Cmd or Alt is held down */
  modified: boolean;
  /** Alt is held down. The key then isn't a board command, even if Ctrl is held down as well. */
  alt: boolean;
}

/** A run of keys that arrived at a scanner's pace. */
interface KeyRun {
  text: string;
  lastAt: number;
  /**
   * the command of the run's first key, as long as no second key has arrived. If none arrives within `SCANNER_PACE`, a
   * person pressed the key, and the command runs.
   */
  pending?: BoardCommand | undefined;
}

export const NO_KEYS: KeyRun = { text: '', lastAt: Number.NEGATIVE_INFINITY };

/**
 * Adds one key to `run` and returns the new run. `scanned` is the text of a scanner's burst, which ends in Enter.
 * The caller must run `command` immediately, because its key can't be the start of a burst.
 *
 * For example, an `s` makes `ship` pending. If an `f` follows 10 ms later, `sf` is the start of a scanned text, and no
 * command is pending.
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
  // Keys such as Shift don't end a burst, because a scanner presses Shift for capital letters.
  if (key.length > 1) return { run };
  if (isQuick) return { run: { text: run.text + key, lastAt: at } };
  const command = commandOf(key);
  if (!repeat) return { run: { text: key, lastAt: at, pending: command } };
  // When a key is held down, only commands that move between rows are repeated.
  const moves = command === 'next' || command === 'previous';
  return { run: { ...run, lastAt: at }, command: moves ? command : undefined };
}
