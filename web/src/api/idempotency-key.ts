/** Returns 32 hexadecimal digits. `crypto.randomUUID` isn't used, because browsers don't provide it over plain HTTP. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
