/** Returns milliseconds since the epoch. A clock is passed in wherever time matters, so that tests can set the time. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
