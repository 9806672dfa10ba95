import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Waits for its turn to do work that blocks the thread for several milliseconds. Each pass of the event loop has one
 * turn. Expensive requests that arrive together therefore run one after another, and other requests run in between
 * (RATE1).
 */
export function takeTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
