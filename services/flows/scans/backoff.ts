import { type BackOffLimits, exponentialBackOff } from '../../runtime/schedule.ts';

interface Entry {
  readonly nextAt: number;
  readonly tries: number;
}

/** Exponential back-off per key. */
export function createBackoff() {
  const entries = new Map<string, Entry>();
  return {
    /** when the key may be tried again, ms since the epoch; 0 for a key that was never tried */
    nextAt: (key: string) => entries.get(key)?.nextAt ?? 0,
    tried(key: string, now: number, limits: BackOffLimits): void {
      const tries = (entries.get(key)?.tries ?? 0) + 1;
      entries.set(key, { nextAt: now + exponentialBackOff(limits, 0)(tries), tries });
    },
    /** Drops keys that were due before `time`, which nobody tries any more. */
    forgetBefore(time: number): void {
      for (const [key, { nextAt }] of entries) if (nextAt < time) entries.delete(key);
    },
  };
}
