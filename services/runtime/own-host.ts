import type { IncomingMessage } from 'node:http';

const LOOPBACK_ADDRESS = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

/** What is asked for from inside, under any name: by whoever watches the shop, and by Stripe, whose calls are signed. */
const UNNAMED_PATHS = new Set(['/healthz', '/readyz', '/metrics', '/webhooks/stripe']);

/** Whether a host name or an address leads to the machine itself. IPv6 addresses may stand in brackets. */
export function isLoopback(host: string): boolean {
  const name = withoutBrackets(host.toLowerCase());
  return name === 'localhost' || name.endsWith('.localhost') || LOOPBACK_ADDRESS.test(name);
}

/**
 * AUTH7: whether a request names the shop by a name of its own: that of PUBLIC_ORIGIN, one of loopback, or the address that
 * it came in by. Under any other name a website could have its own name lead here, and read what the shop answers.
 */
export function namesThisShop(
  { headers, url = '', socket }: Pick<IncomingMessage, 'headers' | 'url' | 'socket'>,
  publicOrigin: string | null,
): boolean {
  if (UNNAMED_PATHS.has(url.split('?', 1)[0] ?? '')) return true;
  const address = `http://${headers.host}`;
  if (!headers.host || !URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  if (isLoopback(hostname)) return true;
  if (publicOrigin !== null && hostname === new URL(publicOrigin).hostname) return true;
  return withoutBrackets(hostname) === socket.localAddress?.replace(/^::ffff:/, '');
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
