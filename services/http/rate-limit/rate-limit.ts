export type Admission = { readonly allowed: true } | { readonly allowed: false; readonly retryAfterMs: number };

/** Each key may send `burst` requests at once, and `perSecond` requests per second after that. */
export interface RateLimitSettings {
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateLimit {
  take(key: string): Promise<Admission>;
  close(): Promise<void>;
}

export const RATE: RateLimitSettings = { burst: 120, perSecond: 20 };
