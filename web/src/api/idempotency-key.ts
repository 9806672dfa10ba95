/**
 * A fresh Idempotency-Key: 32 hexadecimal digits. `crypto.randomUUID` would be missing where a phone in the same network
 * opens the shop by plain http.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
