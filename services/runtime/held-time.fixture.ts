import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Schedule } from './schedule.ts';

/** A clock that stands still until a test moves it, and timers that fire as it moves. */
export interface HeldTime {
  readonly now: () => number;
  readonly schedule: Schedule;
  /** Moves the clock forward from timer to timer, and waits for the work that each timer starts. */
  pass(milliseconds: number): Promise<void>;
  /** Runs the pending work that doesn't need the clock to move. */
  settle(): Promise<void>;
  /** Returns the delays of the pending timers, in the order in which they were set. */
  delays(): number[];
}

export function holdTime(): HeldTime {
  let now = 0;
  let timers: { readonly at: number; readonly delay: number; readonly callback: () => void }[] = [];

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) await nextTurn();
  }

  return {
    now: () => now,
    schedule(delay, callback) {
      const timer = { at: now + delay, delay, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    async pass(milliseconds) {
      const end = now + milliseconds;
      await settle();
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
        if (!next) break;
        timers = timers.filter((one) => one !== next);
        now = next.at;
        next.callback();
        await settle();
      }
      now = end;
    },
    settle,
    delays: () => timers.map(({ delay }) => delay),
  };
}
