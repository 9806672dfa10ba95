import type { RequestHandler } from 'express';
import { Histogram, type Registry } from 'prom-client';
import type { Logger } from '../runtime/log.ts';
import { requestIdOf, routeOf } from './request-id.ts';

/** Asked every few seconds by whoever watches: they would drown the rest of the log. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * One log line and one measurement for each request that ended. The line names the route, never the address as it came:
 * addresses hold e-mails, headers hold tokens, bodies hold both.
 */
export function recordRequests(logger: Logger, registry: Registry): RequestHandler {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
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
