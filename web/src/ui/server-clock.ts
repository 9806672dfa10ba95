/** The shop's clock: a device's own may be wrong by hours, and deadlines are the shop's. */

/** How far the shop's clock is ahead of the device's, in milliseconds. Nothing is corrected until an answer says so. */
let ahead = 0;

/**
 * Sets the clock by the Date header of an answer that was asked for at `sent` and came at `received`, both in milliseconds
 * by the device's clock. The header has whole seconds, so a device that is right to the second is left alone.
 */
export function setServerClock(date: string | null, sent: number, received: number): void {
  const server = Date.parse(date ?? '');
  if (Number.isNaN(server)) return;
  ahead = Math.min(Math.max(ahead, server - received), server + 1_000 - sent);
}

/** The time by the shop's clock, in milliseconds since the epoch. */
export const serverNow = (): number => Date.now() + ahead;
