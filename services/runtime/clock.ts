/** Milliseconds since the epoch. Passed in wherever time matters, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
