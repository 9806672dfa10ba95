import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware, type Options } from 'http-proxy-middleware';
import type { ProblemCode } from '../contracts/problems.ts';
import { sendProblem } from '../runtime/problem-response.ts';

/** In bytes. */
const MAX_BODY = 65_536;
/**
 * How long an idle connection to a provider is kept open. The time is below 5 s because, by default, Node's servers
 * close a connection that has been idle for 5 s, and a call sent at that moment would fail.
 */
const LONGEST_REST_MS = 4_000;

/**
 * Returns a handler that forwards calls to a provider. If the provider is down, the handler responds with the problem
 * code and detail in `absent`.
 */
export function createProviderProxy(
  target: string,
  absent: { readonly code: ProblemCode; readonly detail: string },
  options: Omit<Options<Request, Response>, 'target'>,
): RequestHandler {
  const forward = createProxyMiddleware({
    ...options,
    target,
    agent: new Agent({ keepAlive: true, timeout: LONGEST_REST_MS }),
    proxyTimeout: 15_000,
    on: {
      ...options.on,
      error(_error, _request, response) {
        if ('writeHead' in response && !response.headersSent) sendProblem(response, absent.code, absent);
        else response.destroy();
      },
    },
  });
  return (request, response, next) => {
    if (!refusesBody(request, response)) void forward(request, response, next);
  };
}

/**
 * Refuses a body that is too large or whose size is unknown, before any of it is forwarded. Otherwise, the provider
 * might close the connection while receiving the body, which would look as if the provider were down. Returns whether
 * the body was refused.
 */
function refusesBody({ headers }: IncomingMessage, response: ServerResponse): boolean {
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.NaN;
  if (length <= MAX_BODY) return false;
  sendProblem(response, 'payload_too_large', {
    detail: `The body must have a Content-Length of at most ${MAX_BODY} bytes.`,
  });
  return true;
}
