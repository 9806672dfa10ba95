/** How long to wait after each try in turn: `first`, doubled each time, at most `longest`. In milliseconds. */
export interface Waits {
  readonly first: number;
  readonly longest: number;
}

interface Entry {
  readonly nextAt: number;
  readonly wait: number;
}

/** Remembers when each thing may be tried again, so that what does not move on is tried ever more seldom. */
export interface Pace {
  /** whether the time has come; true for what was never tried */
  due(key: string, now: number): boolean;
  tried(key: string, now: number, waits: Waits): void;
  /** Drops what was due before `time` and was not tried since: it has been done. */
  forgetBefore(time: number): void;
}

export function createPace(): Pace {
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
