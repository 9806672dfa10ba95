/** The most causes remembered of one stream; those of a longer one are asked of the log. */
const MAX_SEEN = 2_000;

/**
 * The causes of all events of a stream that this process has folded. Where it has done so from the first one on, most
 * commands are known to be new without asking the log (CMD3); where it began with a snapshot, the log is asked.
 */
export interface SeenCauses {
  add(cause: string): void;
  /** From now on each cause may have been seen: a state was taken whose events were not folded here. */
  forget(): void;
  /** Those of some causes that may have yielded events among the folded ones; the others have not. */
  among(causes: ReadonlySet<string>): string[];
}

/** Remembers up to `max` causes. Of a stream that has more, each may have been seen. */
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
