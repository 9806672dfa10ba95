import type { IncomingMessage } from 'node:http';

/**
 * Each of our proxies appends the address it saw to X-Forwarded-For; what stands before those entries anybody may have
 * written. Same as Express's `request.ip`.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  const seen = [...forwarded, socket.remoteAddress ?? ''];
  return seen[Math.max(0, seen.length - 1 - trustedProxies)] ?? '';
}
