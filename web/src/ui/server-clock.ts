/** The shop's clock. Deadlines are set by this clock, and a device's own clock may be off by hours. */

/** How far the shop's clock is ahead of the device's, in milliseconds. 0 until a response shows a difference. */
let ahead = 0;

/**
 * Sets the clock from a response's Date header. `sent` and `received` are the times of the request and the response by
 * the device's clock, in milliseconds. The header has a resolution of one second, so a device whose clock is right to
 * the second isn't corrected.
 */
export function setServerClock(date: string | null, sent: number, received: number): void {
  const server = Date.parse(date ?? '');
  if (Number.isNaN(server)) return;
  ahead = Math.min(Math.max(ahead, server - received), server + 1_000 - sent);
}

/** The time by the shop's clock, in milliseconds since the epoch. */
export const serverNow = (): number => Date.now() + ahead;
