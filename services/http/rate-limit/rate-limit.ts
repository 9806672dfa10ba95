export type Admission = { readonly allowed: true } | { readonly allowed: false; readonly retryAfterMs: number };

/**
 * Gives each key a bucket of `burst` tokens, refilled at `perSecond` tokens per second. Each request takes one token.
 */
export interface RateLimitSettings {
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateLimit {
  take(key: string): Promise<Admission>;
  close(): Promise<void>;
}

export const RATE: RateLimitSettings = { burst: 120, perSecond: 20 };
