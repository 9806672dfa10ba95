/** The wait after each try in turn: `first`, doubled each time, at most `longest`. In milliseconds. */
export interface Delays {
  readonly first: number;
  readonly longest: number;
}

interface Entry {
  readonly nextAt: number;
  readonly wait: number;
}

/** Exponential back-off per key. */
export interface Backoff {
  /** true for a key that was never tried */
  due(key: string, now: number): boolean;
  tried(key: string, now: number, delays: Delays): void;
  /** Drops keys that were due before `time`, which nobody tries any more. */
  forgetBefore(time: number): void;
}

export function createBackoff(): Backoff {
  const entries = new Map<string, Entry>();
  return {
    due: (key, now) => (entries.get(key)?.nextAt ?? 0) <= now,
    tried(key, now, { first, longest }) {
      const before = entries.get(key);
      const wait = before ? Math.min(before.wait * 2, longest) : first;
      entries.set(key, { nextAt: now + wait, wait });
    },
    forgetBefore(time) {
      for (const [key, { nextAt }] of entries) if (nextAt < time) entries.delete(key);
    },
  };
}
