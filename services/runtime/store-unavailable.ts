/** The store is down, full, or too slow. The same call may be made again later. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** Rejects with `late()` after `milliseconds`. The work goes on; `expired()` tells it to begin nothing more. */
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

export interface StoreGuard {
  /** true where the store is lost; false for a wrong request */
  readonly isLost: (error: unknown) => boolean;
  /** the longest that a guarded read may take, in ms; absent where nobody waits for it */
  readonly timeoutMs?: number | undefined;
}

/** Calls reject with StoreUnavailable if the store is lost (CMD7), `reads` also after `timeoutMs`. No method may use `this`. */
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
