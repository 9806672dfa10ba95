import type { Folded } from '../log/fold-stream.ts';

/** The maximum number of causes cached per stream. Once a stream has more, every cause is looked up in the log. */
const MAX_CAUSES = 2_000;

/** What this process knows about a stream without reading the log. May be dropped at any time. */
export class CachedStream {
  folded: Folded<unknown>;
  /** the version of the stream's newest snapshot; 0 if there is none */
  snapshotVersion: number;
  /**
   * True from the start of an append until that append or a later one succeeds. load() then reads the log. An append whose
   * outcome is unknown can reach the log late, even after the stream has been read again, and after another append
   * conflicted.
   */
  inDoubt = false;
  readonly #maxCauses: number;
  /** the causes of the stream's events; null if not all of them are known */
  #causes: Set<string> | null;

  /** `folded` is the stream's initial state, or a snapshot. The causes of the events before a snapshot aren't known. */
  constructor(folded: Folded<unknown>, maxCauses = MAX_CAUSES) {
    this.folded = folded;
    this.snapshotVersion = folded.version;
    this.#maxCauses = maxCauses;
    this.#causes = folded.version === 0 ? new Set() : null;
  }

  addCause(cause: string): void {
    this.#causes?.add(cause);
    if (this.#causes && this.#causes.size > this.#maxCauses) this.#causes = null;
  }

  /** Returns those of `causes` that may have been handled before. The others are new and needn't be looked up (CMD3). */
  maybeHandled(causes: ReadonlySet<string>): string[] {
    return [...causes].filter((cause) => this.#causes === null || this.#causes.has(cause));
  }

  /**
   * The estimated size, in bytes. The state itself isn't measured, and is assumed to be small beside the causes. Once
   * the causes are dropped, only a stream's overhead counts.
   */
  get bytes(): number {
    return 1_500 + 150 * (this.#causes?.size ?? 0);
  }
}
