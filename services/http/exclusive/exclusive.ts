/** The work was not begun: it could not be made sure in time that it runs alone. It may be asked for again. */
export class ExclusiveUnavailable extends Error {
  override readonly name = 'ExclusiveUnavailable';
}

/** Lets work run alone among all processes that share it, for what no single stream's version check can guard. */
export interface Exclusive {
  /**
   * Runs the work while no other work of this name runs; works that one process asks for run in the order asked.
   * Answers what the work answers, and throws what it throws.
   *
   * It is no fence: where a lease stands behind it, a process that stood still for longer than the lease goes on beside
   * its successor. So the work reads what it decides by after it was let in, and is short.
   * @throws ExclusiveUnavailable before the work was begun
   */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Lets the work that runs end; what still waits, or is asked for later, is refused. */
  close(): Promise<void>;
}
