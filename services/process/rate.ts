import type { RateLimitSettings } from '../http/rate-limit/rate-limit.ts';

/** Calls of one caller, or address, that are let in at once, and each second after that. */
export const RATE: RateLimitSettings = { burst: 120, perSecond: 20 };
