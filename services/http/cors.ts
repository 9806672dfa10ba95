import type { RequestHandler } from 'express';

const EXPOSED_HEADERS = 'link, location, retry-after, x-request-id';
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'authorization, content-type, idempotency-key, x-tracking-token',
  'Access-Control-Max-Age': '600',
};

/** Allows pages of the given origins to call the API. They can send a bearer token, but no cookies. */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins.map((origin) => new URL(origin).origin));
  return (request, response, next) => {
    if (allowed.size > 0) response.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return next();
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED_HEADERS });
    if (request.method !== 'OPTIONS') return next();
    response.set(PREFLIGHT).status(204).end();
  };
}
