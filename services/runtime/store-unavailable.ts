import { type Schedule, scheduleTimer } from './schedule.ts';

/** The store is down, full, or too slow. The caller may retry later. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/**
 * Rejects with `late()` if `work` takes longer than `milliseconds`. The work isn't stopped, but from then on
 * `expired()` returns true, so that the work can skip its remaining steps.
 */
export async function within<T>(
  milliseconds: number,
  work: (expired: () => boolean) => Promise<T>,
  late: () => Error,
  schedule: Schedule = scheduleTimer,
): Promise<T> {
  let expired = false;
  let cancel = () => {};
  const lateness = new Promise<never>((_, reject) => {
    cancel = schedule(milliseconds, () => {
      expired = true;
      reject(late());
    });
  });
  try {
    return await Promise.race([work(() => expired), lateness]);
  } finally {
    cancel();
  }
}

export interface StoreGuard {
  /** returns true if the error means that the store is unavailable, and false if the request was wrong */
  readonly isLost: (error: unknown) => boolean;
  /** the time limit in ms for the methods in `reads`; may be omitted if no request waits for these methods */
  readonly timeoutMs?: number | undefined;
  readonly schedule?: Schedule | undefined;
}

/**
 * Wraps a port so that its calls reject with StoreUnavailable if the store is unavailable (CMD7). The methods in
 * `reads` also reject after `timeoutMs`. The port's methods must not use `this`.
 */
export function guardStore<Port extends object>(
  port: Port,
  { isLost, timeoutMs, schedule }: StoreGuard,
  reads: readonly (keyof Port & string)[] = [],
): Port {
  const translated = (error: unknown) =>
    isLost(error) ? new StoreUnavailable('The store cannot be used.', { cause: error }) : error;

  const guarded = Object.entries(port).map(([name, method]: [string, (...args: unknown[]) => Promise<unknown>]) => {
    const timed = timeoutMs !== undefined && reads.some((read) => read === name);
    const late = () => new StoreUnavailable(`The store has not answered ${name} within ${timeoutMs} ms.`);
    const call = async (...args: unknown[]) => {
      try {
        return await (timed ? within(timeoutMs, () => method(...args), late, schedule) : method(...args));
      } catch (error) {
        throw translated(error);
      }
    };
    return [name, call];
  });
  return Object.fromEntries(guarded) as Port;
}
