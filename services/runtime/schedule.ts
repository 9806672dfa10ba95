/** Calls `callback` once after a delay in milliseconds. @returns a function that cancels the call */
export type Schedule = (delay: number, callback: () => void) => () => void;

export const scheduleTimer: Schedule = (delay, callback) => {
  const timer = setTimeout(callback, delay);
  return () => clearTimeout(timer);
};

/** The timers and random numbers that delays are based on. A simulation provides its own. */
export interface Timing {
  readonly schedule: Schedule;
  /** returns a number from 0 up to, but not including, 1 */
  readonly random: () => number;
}

export const SYSTEM_TIMING: Timing = { schedule: scheduleTimer, random: Math.random };

/** Calls `callback` repeatedly at this interval, in milliseconds. @returns a function that stops the calls */
export type Every = (milliseconds: number, callback: () => void) => () => void;

/** The timer doesn't keep the process alive. */
export const everyInterval: Every = (milliseconds, callback) => {
  const timer = setInterval(callback, milliseconds).unref();
  return () => clearInterval(timer);
};

/** Returns the delay before the next attempt, in milliseconds. `failures` is the number of consecutive failures. */
export type BackOff = (failures: number) => number;

/** Retry delays in milliseconds. The delay starts at `first` and doubles up to `longest`. */
export interface BackOffLimits {
  readonly first: number;
  readonly longest: number;
}

/** The retry delays for a service that may be down for a long time. */
export const PATIENT: BackOffLimits = { first: 200, longest: 30_000 };

/**
 * Returns an exponential back-off. Each delay is shortened by a random fraction of up to `jitter`, so that processes
 * that failed at the same time don't all retry at the same time.
 */
export function exponentialBackOff(
  { first, longest }: BackOffLimits,
  jitter = 0.2,
  random: Timing['random'] = Math.random,
): BackOff {
  return (failures) => Math.min(longest, first * 2 ** (failures - 1)) * (1 - jitter * random());
}

/** Resolves after a delay in milliseconds, or as soon as `signal` aborts. If the delay is null, waits only for the signal. */
export function sleep(schedule: Schedule, delay: number | null, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = delay === null ? () => {} : schedule(delay, wake);
    signal.addEventListener('abort', wake);
  });
}

/** Resolves once `work` has succeeded or failed, or after `delay` milliseconds, whichever comes first. */
export function endedWithin(schedule: Schedule, delay: number, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const wake = () => ended.abort();
  work.then(wake, wake);
  return sleep(schedule, delay, ended.signal);
}
