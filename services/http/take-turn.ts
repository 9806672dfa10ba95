import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn to do work that blocks the thread for milliseconds. There is one turn in each pass of the event
 * loop. Expensive requests in a burst therefore wait for each other, and all other requests run in between (RATE1).
 */
export function takeTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
