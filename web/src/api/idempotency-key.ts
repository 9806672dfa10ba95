import type { ShopRequest } from './shop-api.ts';

/** Returns 32 hexadecimal digits. `crypto.randomUUID` isn't used, because browsers don't provide it over plain HTTP. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Builds a POST request that takes effect only once, however often it's sent with this key and body (CMD3). */
export const postOnce = (path: string, key: string, body: unknown): ShopRequest => ({
  path,
  method: 'POST',
  body,
  headers: { 'idempotency-key': key },
});
