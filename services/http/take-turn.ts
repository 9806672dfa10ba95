import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn to do work that blocks the thread for milliseconds. Each pass of the event loop has one turn, so
 * expensive requests in a burst wait for each other, and all other requests run in between (RATE1).
 */
export function takeTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
