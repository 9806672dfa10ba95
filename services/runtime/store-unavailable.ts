/** The store behind a port is away, full, or too slow to answer in time. The same call may be made again later. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/**
 * Runs `work` and rejects with `late()` where it has not settled after `milliseconds`; then `expired()` tells the work, which
 * goes on alone, to begin nothing more.
 */
export async function within<T>(
  milliseconds: number,
  work: (expired: () => boolean) => Promise<T>,
  late: () => Error,
): Promise<T> {
  let expired = false;
  let timer: NodeJS.Timeout | undefined;
  const lateness = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      expired = true;
      reject(late());
    }, milliseconds);
  });
  try {
    return await Promise.race([work(() => expired), lateness]);
  } finally {
    clearTimeout(timer);
  }
}

/** How a store of one kind is guarded. */
export interface StoreGuard {
  /** whether an error means that the store is lost, rather than that it was asked something wrong */
  readonly isLost: (error: unknown) => boolean;
  /** the longest that a guarded read may take, in ms; absent where nobody waits for the answer */
  readonly timeoutMs?: number | undefined;
}

/**
 * The same port, whose calls reject with StoreUnavailable where its store is lost (CMD7), and the calls named in `reads` also
 * where they take longer than `timeoutMs`. All its methods are asynchronous and need no `this`.
 */
export function guardStore<Port extends object>(
  port: Port,
  { isLost, timeoutMs }: StoreGuard,
  reads: readonly (keyof Port & string)[] = [],
): Port {
  const translated = (error: unknown) =>
    isLost(error) ? new StoreUnavailable('The store cannot be used.', { cause: error }) : error;

  const guarded = Object.entries(port).map(([name, method]: [string, (...args: unknown[]) => Promise<unknown>]) => {
    const timed = timeoutMs !== undefined && reads.some((read) => read === name);
    const late = () => new StoreUnavailable(`The store has not answered ${name} within ${timeoutMs} ms.`);
    const call = async (...args: unknown[]) => {
      try {
        return await (timed ? within(timeoutMs, () => method(...args), late) : method(...args));
      } catch (error) {
        throw translated(error);
      }
    };
    return [name, call];
  });
  return Object.fromEntries(guarded) as Port;
}
