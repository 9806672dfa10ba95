import type { IncomingMessage } from 'node:http';

const LOOPBACK_ADDRESS = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

/**
 * Requests to these paths may name any host. Monitoring calls the first three from inside the network, and Stripe signs
 * its requests to the webhook.
 */
const UNNAMED_PATHS = new Set(['/healthz', '/readyz', '/metrics', '/webhooks/stripe']);

/** Returns whether this host name or address is loopback. An IPv6 address may be in brackets. */
export function isLoopback(host: string): boolean {
  const name = withoutBrackets(host.toLowerCase());
  return name === 'localhost' || name.endsWith('.localhost') || LOOPBACK_ADDRESS.test(name);
}

/**
 * Returns whether the request names this shop as its host (AUTH7). If other host names were accepted, a website could
 * point its own domain at this shop and read the responses (DNS rebinding).
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
