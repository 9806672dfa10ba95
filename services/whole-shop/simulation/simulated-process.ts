import type { Clock } from '../../runtime/clock.ts';
import type { Every, Schedule, Timing } from '../../runtime/schedule.ts';
import type { Dice } from './dice.ts';
import type { VirtualTime } from './virtual-time.ts';

/** One process of a simulated shop. It can be killed, or paused as if by a long garbage collection. */
export interface SimulatedProcess {
  readonly name: string;
  readonly dice: Dice;
  /** the wall clock, which setClock() can make wrong */
  readonly clock: Clock;
  /** a monotonic clock, in ms */
  readonly now: () => number;
  readonly timing: Timing;
  readonly schedule: Schedule;
  readonly every: Every;
  isAlive(): boolean;
  isRunning(): boolean;
  /**
   * Runs a callback immediately, or once the process resumes if it is paused. Never runs the callback if the process
   * has been killed.
   */
  run(callback: () => void): void;
  pause(): void;
  resume(): void;
  kill(): void;
  /** Sets the wall clock's deviation from the virtual time, in ms. */
  setClock(deviation: number): void;
}

export function createProcess(name: string, time: VirtualTime, dice: Dice): SimulatedProcess {
  const held: (() => void)[] = [];
  let state: 'running' | 'paused' | 'killed' = 'running';
  let deviation = 0;

  function run(callback: () => void): void {
    if (state === 'running') callback();
    else if (state === 'paused') held.push(callback);
  }

  const schedule: Schedule = (delay, callback) => {
    let cancelled = false;
    const cancel = time.schedule(delay, () =>
      run(() => {
        if (!cancelled) callback();
      }),
    );
    return () => {
      cancelled = true;
      cancel();
    };
  };

  const every: Every = (milliseconds, callback) => {
    let cancel = () => {};
    const again = () => {
      cancel = schedule(milliseconds, () => {
        again();
        callback();
      });
    };
    again();
    return () => cancel();
  };

  return {
    name,
    dice,
    clock: () => time.now() + deviation,
    now: () => time.now(),
    timing: { schedule, random: dice.random },
    schedule,
    every,
    isAlive: () => state !== 'killed',
    isRunning: () => state === 'running',
    run,
    pause() {
      if (state === 'running') state = 'paused';
    },
    resume() {
      if (state !== 'paused') return;
      state = 'running';
      for (const callback of held.splice(0)) time.schedule(0, () => run(callback));
    },
    kill() {
      state = 'killed';
    },
    setClock(by) {
      deviation = by;
    },
  };
}
