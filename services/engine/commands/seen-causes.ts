/** Per stream; beyond that the log is read. */
const MAX_SEEN = 2_000;

/** Causes folded from a stream's first event on: those not seen are new without reading the log (CMD3). */
export interface SeenCauses {
  add(cause: string): void;
  /** For a state whose events were not folded here: from now on any cause may have been seen. */
  forget(): void;
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
