/** The maximum number of causes remembered per stream. Once a stream has more, every cause is looked up in the log. */
const MAX_SEEN = 2_000;

/** The causes of all events in a stream. A cause that isn't among these is new and needn't be looked up in the log (CMD3). */
export class HandledCauses {
  readonly #max: number;
  readonly #seen = new Set<string>();
  #forgotten = false;

  constructor(max = MAX_SEEN) {
    this.#max = max;
  }

  get size(): number {
    return this.#seen.size;
  }

  add(cause: string): void {
    if (this.#forgotten) return;
    this.#seen.add(cause);
    if (this.#seen.size > this.#max) this.forget();
  }

  /**
   * Discards all causes. From then on, among() returns all the causes that it is given. Call this if the causes of some
   * of the stream's events aren't known.
   */
  forget(): void {
    this.#forgotten = true;
    this.#seen.clear();
  }

  /** Returns those of `causes` that may have been handled before. */
  among(causes: ReadonlySet<string>): string[] {
    return [...causes].filter((cause) => this.#forgotten || this.#seen.has(cause));
  }
}
