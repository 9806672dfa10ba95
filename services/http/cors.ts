import type { RequestHandler } from 'express';

const ALLOWED_METHODS = 'GET, POST, PUT, PATCH, DELETE';
const ALLOWED_HEADERS = 'authorization, content-type, idempotency-key, x-tracking-token';
const EXPOSED_HEADERS = 'link, location, retry-after, x-request-id';
const PREFLIGHT_SECONDS = '600';

/** Lets pages of the given origins call the API with a bearer token, never with cookies. */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins.map((origin) => new URL(origin).origin));
  return (request, response, next) => {
    if (allowed.size > 0) response.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) {
      next();
      return;
    }
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED_HEADERS });
    if (request.method !== 'OPTIONS') {
      next();
      return;
    }
    response
      .set({
        'Access-Control-Allow-Methods': ALLOWED_METHODS,
        'Access-Control-Allow-Headers': ALLOWED_HEADERS,
        'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      })
      .status(204)
      .end();
  };
}
