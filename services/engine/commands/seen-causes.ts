/** Per stream; beyond that the log is read. */
const MAX_SEEN = 2_000;

/**
 * The causes of the events that this process has folded of a stream. Folded from the first one on, most commands are known
 * to be new without reading the log (CMD3); folded from a snapshot, they are not.
 */
export interface SeenCauses {
  add(cause: string): void;
  /** For a state whose events were not folded here: from now on any cause may have been seen. */
  forget(): void;
  /** Returns those of the causes that may have yielded events before. */
  among(causes: ReadonlySet<string>): string[];
}

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
