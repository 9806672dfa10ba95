import { z } from 'zod';
import { clientConfigSchema } from '../contracts/client-config.ts';
import { docsPage } from './docs-page.ts';
import { openApiDocument } from './openapi.ts';
import { RequestRefused } from './problem-details.ts';
import { CachedResponse } from './response-cache.ts';
import { defineRoute, type Route } from './route.ts';

const healthSchema = z.object({ status: z.literal('ok') });
const readinessSchema = z.object({ ready: z.boolean(), checks: z.record(z.string(), z.unknown()).optional() });

const HTML_TYPE = 'text/html; charset=utf-8';

/**
 * Returns a function that calls `make` on the first call and returns the same result from then on. This works for the
 * API's description, because it never changes while the process runs.
 */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Returns the routes for monitoring, configuration and the API's documentation. `routes` returns the whole route table,
 * including these routes.
 */
export function metaRoutes(routes: () => readonly Route[]): readonly Route[] {
  const openApi = once(() => new CachedResponse(JSON.stringify(openApiDocument(routes())), ''));
  const docs = once(() => new CachedResponse(docsPage(routes()), '', { type: HTML_TYPE }));
  return [
    defineRoute({
      method: 'GET',
      path: '/healthz',
      summary: 'Liveness check: returns 200 while the process is running',
      access: 'public',
      probe: true,
      answer: { status: 200, schema: healthSchema },
      serve: async () => ({ body: { status: 'ok' } }),
    }),
    defineRoute({
      method: 'GET',
      path: '/readyz',
      summary:
        "Readiness check: returns 503 if a part of the process is not ready. The operator also gets each check's result",
      access: 'public',
      probe: true,
      answer: { status: 200, schema: readinessSchema },
      async serve(shop, { byOperator }) {
        const { ready, checks } = await shop.readiness();
        return { status: ready ? 200 : 503, body: byOperator ? { ready, checks } : { ready } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      summary:
        'Returns metrics in the Prometheus text format. Only requests from loopback or with METRICS_TOKEN are allowed',
      access: 'public',
      probe: true,
      answer: { status: 200, mediaType: 'text/plain; version=0.0.4; charset=utf-8' },
      problems: ['forbidden'],
      async serve(shop, { byOperator }) {
        if (!byOperator) throw new RequestRefused('forbidden');
        return { body: await shop.registry.metrics() };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/config.json',
      summary: 'Returns the configuration of the web client for this deployment',
      access: 'public',
      answer: { status: 200, schema: clientConfigSchema },
      serve: async (shop) => ({ body: shop.clientConfig }),
    }),
    defineRoute({
      method: 'GET',
      path: '/openapi.json',
      summary: 'Describes this API as an OpenAPI 3.1 document',
      access: 'public',
      answer: { status: 200, schema: z.record(z.string(), z.unknown()) },
      serve: async () => ({ body: openApi() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/docs',
      summary: 'Describes this API as a web page',
      access: 'public',
      answer: { status: 200, mediaType: HTML_TYPE },
      serve: async () => ({ body: docs() }),
    }),
  ];
}
