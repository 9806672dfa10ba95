import type { IncomingMessage } from 'node:http';

/** Each of our proxies appends the address it saw; the entries before may be forged. Same as Express's `request.ip`. */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  const seen = [...forwarded, socket.remoteAddress ?? ''];
  return seen[Math.max(0, seen.length - 1 - trustedProxies)] ?? '';
}
