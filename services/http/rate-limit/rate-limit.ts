export type Admission = { readonly allowed: true } | { readonly allowed: false; readonly retryAfterMs: number };

/** Limits each key to bursts of `burst` requests, refilled at `perSecond` requests per second. */
export interface RateLimitSettings {
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateLimit {
  take(key: string): Promise<Admission>;
  close(): Promise<void>;
}

export const RATE: RateLimitSettings = { burst: 120, perSecond: 20 };
