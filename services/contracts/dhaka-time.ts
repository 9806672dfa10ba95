/** The UTC offset of Asia/Dhaka, which has no daylight saving time. */
export const DHAKA_OFFSET_MS = 6 * 3_600_000;

/** Returns the day in Dhaka, such as `2026-03-01`. `time` is in ms since the epoch. */
export const dayOf = (time: number): string => new Date(time + DHAKA_OFFSET_MS).toISOString().slice(0, 10);
