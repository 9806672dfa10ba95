import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn at work that holds the thread for milliseconds. There is one turn for each pass of the event loop, so a burst
 * of expensive requests waits for itself, and every other request gets in between (RATE1).
 */
export function takeTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
