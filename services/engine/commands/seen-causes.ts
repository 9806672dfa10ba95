/** Causes remembered per stream; for a stream with more, the log is asked. */
const MAX_SEEN = 2_000;

/**
 * The causes of the events of a stream that this process has folded. If it folded them from the first one on, it knows most
 * commands to be new without reading the log (CMD3); if it began with a snapshot, the log is read.
 */
export interface SeenCauses {
  add(cause: string): void;
  /** From now on any cause may have been seen: a state was taken whose events were not folded here. */
  forget(): void;
  /** Which of these causes may have yielded events before; the others have not. */
  among(causes: ReadonlySet<string>): string[];
}

/** Remembers up to `max` causes; after that any may have been seen. */
export function createSeenCauses(max = MAX_SEEN): SeenCauses {
  const seen = new Set<string>();
  let forgotten = false;
  function forget(): void {
    forgotten = true;
    seen.clear();
  }
  return {
    forget,
    add(cause) {
      if (forgotten) return;
      seen.add(cause);
      if (seen.size > max) forget();
    },
    among: (causes) => [...causes].filter((cause) => forgotten || seen.has(cause)),
  };
}
