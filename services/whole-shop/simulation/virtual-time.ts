import type { Schedule } from '../../runtime/schedule.ts';

/**
 * Virtual time, which moves on only when no work is left to do. A run that covers hours takes seconds, and running it
 * again gives the same result.
 */
export interface VirtualTime {
  /** Returns the virtual time, in ms since the epoch. */
  now(): number;
  readonly schedule: Schedule;
  sleep(milliseconds: number): Promise<void>;
  /** Runs the timers, in order, until this time. */
  runUntil(time: number): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly number: number;
  readonly callback: () => void;
}

export function createVirtualTime(begin: number): VirtualTime {
  /** the timers in descending order, so that the next one is at the end */
  const timers: Timer[] = [];
  let now = begin;
  let number = 0;

  const isBefore = (one: Timer, other: Timer) =>
    one.at < other.at || (one.at === other.at && one.number < other.number);

  function insert(timer: Timer): void {
    let [low, high] = [0, timers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(timer, timers[middle] as Timer)) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, timer);
  }

  const schedule: Schedule = (delay, callback) => {
    number += 1;
    const timer = { at: now + Math.max(0, delay), number, callback };
    insert(timer);
    return () => {
      const index = timers.indexOf(timer);
      if (index !== -1) timers.splice(index, 1);
    };
  };

  return {
    now: () => now,
    schedule,
    sleep: (milliseconds) => new Promise((resolve) => schedule(milliseconds, resolve)),
    async runUntil(time) {
      for (;;) {
        await workDone();
        const next = timers.at(-1);
        if (!next || next.at > time) break;
        timers.pop();
        now = next.at;
        next.callback();
      }
      now = Math.max(now, time);
    },
  };
}

/**
 * Resolves once all work that doesn't wait for a virtual timer is done, such as a batch of requests that is sent in the
 * next turn of the event loop.
 */
async function workDone(): Promise<void> {
  do await new Promise(setImmediate);
  while (process.getActiveResourcesInfo().includes('Immediate'));
}
