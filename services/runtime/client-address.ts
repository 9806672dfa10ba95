import type { IncomingMessage } from 'node:http';

/**
 * The address of whoever calls, behind so many reverse proxies of our own: each adds the address that it saw to
 * X-Forwarded-For, and what stands before those entries anybody may have written. Express says the same as `request.ip`.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  const seen = [...forwarded, socket.remoteAddress ?? ''];
  return seen[Math.max(0, seen.length - 1 - trustedProxies)] ?? '';
}
