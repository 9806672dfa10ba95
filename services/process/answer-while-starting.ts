import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { securityHeaders } from '../http/security-headers.ts';
import type { Config } from '../runtime/config.ts';
import { namesThisShop } from '../runtime/own-host.ts';
import { sendProblem } from '../runtime/problem-response.ts';
import { STARTING_PAGE } from './builds.mjs';

const RETRY_SOON = { 'Retry-After': '1' };

/**
 * Responds to a request while the shop starts (START2). A browser that opens a page gets a page that reloads itself
 * every second until the shop responds. Any other request gets a problem.
 */
export async function answerWhileStarting(
  { publicOrigin, providers: { mode } }: Config,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeaders(securityHeaders({ stripe: mode, firebase: mode }));
  if (!namesThisShop(request, publicOrigin)) return sendProblem(response, 'wrong_host');
  const page = opensPage(request) ? await readFile(STARTING_PAGE, 'utf8').catch(() => null) : null;
  if (page === null) {
    return sendProblem(response, 'shutting_down', { detail: 'The shop is starting.', headers: RETRY_SOON });
  }
  response.writeHead(503, {
    ...RETRY_SOON,
    Refresh: `1; url=${ownAddress(request)}`,
    'Cache-Control': 'no-store',
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
  });
  response.end(page);
}

/** Returns whether a browser opens a page with this request. A script's request for HTML isn't a navigation. */
function opensPage({ method, headers }: IncomingMessage): boolean {
  const { accept, 'sec-fetch-mode': mode = 'navigate' } = headers;
  return (method === 'GET' || method === 'HEAD') && mode === 'navigate' && accept?.includes('text/html') === true;
}

/**
 * Returns a reference to the requested address that is relative to the address itself. Without this reference, a browser
 * wouldn't reload an address with a fragment. An absolute path could name another host, as in `//elsewhere.test`.
 */
function ownAddress({ url = '' }: IncomingMessage): string {
  return `./${url.replace(/^[^?]*\//, '')}`;
}
