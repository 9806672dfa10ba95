import { doubling, type Schedule } from '../../runtime/schedule.ts';

/** Collects items and handles them in one batch. */
export interface Gathering<Item> {
  add(item: Item): void;
  /** Handles what has been collected so far, once; resolves even if that fails. */
  flush(): Promise<void>;
  /** Drops what is left and handles nothing more. */
  end(): void;
}

export interface GatherSettings<Item> {
  /** Handles one batch. Never called again before it has settled. */
  readonly handle: (items: readonly Item[]) => Promise<void>;
  /** Whether an item that could not be handled is tried again, after a growing pause. */
  readonly isStillWanted: (item: Item) => boolean;
  readonly onError: (error: unknown) => void;
  /** how long items are collected, in milliseconds */
  readonly interval: number;
  readonly schedule: Schedule;
}

/** Collects what can wait a moment, so that the busier a process is, the less each item costs. */
export function gather<Item>(settings: GatherSettings<Item>): Gathering<Item> {
  const { handle, isStillWanted, onError, interval, schedule } = settings;
  let held: Item[] = [];
  let failures = 0;
  let cancel: (() => void) | null = null;
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
    cancel ??= schedule(failures === 0 ? interval : doubling(failures), async () => {
      await flush();
      cancel = null;
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
      cancel?.();
    },
  };
}
