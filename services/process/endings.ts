/** What was started, so that it can be ended in the opposite order. */
export interface Endings {
  add(end: () => Promise<void> | void): void;
  /** Ends all, the last one added first; any number of calls, one run. */
  run(): Promise<void>;
}

export function createEndings(): Endings {
  const endings: (() => Promise<void> | void)[] = [];
  let ended: Promise<void> | null = null;

  async function endAll(): Promise<void> {
    for (const end of endings.toReversed()) await end();
  }

  return {
    add(end) {
      endings.push(end);
    },
    run() {
      ended ??= endAll();
      return ended;
    },
  };
}
