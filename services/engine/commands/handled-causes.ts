/** Per stream; beyond that the log is read. */
const MAX_SEEN = 2_000;

/** Causes folded from a stream's first event on: those not seen are new without reading the log (CMD3). */
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

  /** For a state whose events were not folded here: from now on any cause may have been seen. */
  forget(): void {
    this.#forgotten = true;
    this.#seen.clear();
  }

  among(causes: ReadonlySet<string>): string[] {
    return [...causes].filter((cause) => this.#forgotten || this.#seen.has(cause));
  }
}
