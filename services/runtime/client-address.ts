import type { IncomingMessage } from 'node:http';

/**
 * Returns the client's address, as Express's `request.ip` does. Each trusted proxy appends the address of its own
 * client to X-Forwarded-For. Entries before those added by the trusted proxies may be forged.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  const seen = [...forwarded, socket.remoteAddress ?? ''];
  return seen[Math.max(0, seen.length - 1 - trustedProxies)] ?? '';
}
