/**
 * Returns the current time in milliseconds since the epoch. Code that depends on the time takes a clock as a parameter,
 * so that tests can set the time.
 */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
