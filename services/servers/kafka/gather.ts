import { doubling, type Schedule } from '../../runtime/schedule.ts';

/** Things to be seen to that have gathered, and are seen to together. */
export interface Gathering<Item> {
  add(item: Item): void;
  /** Sees to what has gathered now, once: resolves also where that fails. */
  flush(): Promise<void>;
  /** Sees to nothing more. */
  end(): void;
}

export interface GatherSettings<Item> {
  /** Sees to these at once. Never called again before it has ended. */
  readonly handle: (items: readonly Item[]) => Promise<void>;
  /** Whether an item that could not be seen to is tried again, with a growing pause. */
  readonly isStillWanted: (item: Item) => boolean;
  readonly onError: (error: unknown) => void;
  /** how long items gather, in milliseconds */
  readonly interval: number;
  readonly schedule: Schedule;
}

/** Gathers what need not be seen to at once, so that the busier a process is the less each item costs. */
export function gather<Item>(settings: GatherSettings<Item>): Gathering<Item> {
  const { handle, isStillWanted, onError, interval, schedule } = settings;
  let held: Item[] = [];
  let failures = 0;
  let callOff: (() => void) | null = null;
  let handling = Promise.resolve();
  let ended = false;

  async function handleHeld(): Promise<void> {
    if (held.length === 0) return;
    const items = held;
    held = [];
    try {
      await handle(items);
      failures = 0;
    } catch (error) {
      onError(error);
      failures += 1;
      if (!ended) held = [...items.filter(isStillWanted), ...held];
    }
  }

  function flush(): Promise<void> {
    handling = handling.then(handleHeld);
    return handling;
  }

  function wait(): void {
    callOff ??= schedule(failures === 0 ? interval : doubling(failures), async () => {
      await flush();
      callOff = null;
      if (held.length > 0) wait();
    });
  }

  return {
    add(item) {
      if (ended) return;
      held.push(item);
      wait();
    },
    flush,
    end() {
      ended = true;
      held = [];
      callOff?.();
    },
  };
}
