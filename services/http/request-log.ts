import type { RequestHandler, Response } from 'express';
import { Histogram, type Registry } from 'prom-client';
import type { Logger } from '../runtime/log.ts';

/** Gives each request an id, which is sent as `X-Request-Id` and is the correlation id of the request's events. */
export function giveRequestIds(newId: () => string): RequestHandler {
  return (_request, response, next) => {
    const id = newId();
    response.locals.requestId = id;
    response.set('X-Request-Id', id);
    next();
  };
}

export function requestIdOf(response: Response): string {
  return String(response.locals.requestId);
}

/** Stores the matched route's path for use in the log and the metrics. */
export function noteRoute(path: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = path;
    next();
  };
}

function routeOf(response: Response): string {
  return typeof response.locals.route === 'string' ? response.locals.route : 'other';
}

/**
 * The routes that monitoring polls every few seconds. Logged at info level, these polls would drown out the rest of the
 * log.
 */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Logs each request and records its duration by route. URLs, headers and bodies aren't logged, because they can contain
 * e-mail addresses or tokens.
 */
export function recordRequests(logger: Logger, registry: Registry): RequestHandler {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from receiving a request to the end of its response.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  return (request, response, next) => {
    const startedAt = process.hrtime.bigint();
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
      const status = response.writableEnded ? response.statusCode : 499;
      const route = routeOf(response);
      const { method } = request;
      durations.observe({ method, route, status }, seconds);
      const line = { requestId: requestIdOf(response), method, route, status, ms: Math.round(seconds * 1e5) / 100 };
      if (PROBES.has(route)) logger.debug(line, 'request');
      else logger.info(line, 'request');
    });
    next();
  };
}
