/** Whether one more request is let in, and if not, after how many milliseconds one is. */
export type Admission = { readonly allowed: true } | { readonly allowed: false; readonly retryAfterMs: number };

/** How often each key may ask: `burst` at once, then `perSecond`. */
export interface RateLimitSettings {
  readonly burst: number;
  readonly perSecond: number;
}

/** Counts requests by key (a caller or an address). */
export interface RateLimit {
  take(key: string): Promise<Admission>;
  close(): Promise<void>;
}

/** Calls of one caller, or address, that are let in at once, and each second after that. */
export const RATE: RateLimitSettings = { burst: 120, perSecond: 20 };
