import { type BackOffLimits, exponentialBackOff } from '../../runtime/schedule.ts';

interface Entry {
  readonly nextAt: number;
  readonly tries: number;
}

/** Exponential back-off per key. */
export interface Backoff {
  /** true for a key that was never tried */
  due(key: string, now: number): boolean;
  tried(key: string, now: number, limits: BackOffLimits): void;
  /** Drops keys that were due before `time`, which nobody tries any more. */
  forgetBefore(time: number): void;
}

export function createBackoff(): Backoff {
  const entries = new Map<string, Entry>();
  return {
    due: (key, now) => (entries.get(key)?.nextAt ?? 0) <= now,
    tried(key, now, limits) {
      const tries = (entries.get(key)?.tries ?? 0) + 1;
      entries.set(key, { nextAt: now + exponentialBackOff(limits, 0)(tries), tries });
    },
    forgetBefore(time) {
      for (const [key, { nextAt }] of entries) if (nextAt < time) entries.delete(key);
    },
  };
}
