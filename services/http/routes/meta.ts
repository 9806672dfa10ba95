import { z } from 'zod';
import { clientConfigSchema } from '../../contracts/answers.ts';
import { docsPage } from '../docs-page.ts';
import { openApiDocument } from '../openapi.ts';
import { RequestRefused } from '../problem-details.ts';
import { CachedResponse } from '../response-cache.ts';
import { defineRoute, type Route } from '../route.ts';

const healthSchema = z.object({ status: z.literal('ok') });
const readinessSchema = z.object({ ready: z.boolean(), checks: z.record(z.string(), z.unknown()).optional() });

const HTML_TYPE = 'text/html; charset=utf-8';

/** Builds a description of the API once, since it never changes while the process runs. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Routes about the API itself. `routes` returns the whole table, including these routes. */
export function metaRoutes(routes: () => readonly Route[]): readonly Route[] {
  const openApi = once(() => new CachedResponse(JSON.stringify(openApiDocument(routes())), ''));
  const docs = once(() => new CachedResponse(docsPage(routes()), '', { type: HTML_TYPE }));
  return [
    defineRoute({
      method: 'GET',
      path: '/healthz',
      summary: 'Whether the process answers',
      access: 'public',
      probe: true,
      answer: { status: 200, schema: healthSchema },
      serve: async () => ({ body: { status: 'ok' } }),
    }),
    defineRoute({
      method: 'GET',
      path: '/readyz',
      summary: 'Whether every part of the process answers, 503 where one does not; which one, for the operator',
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
      summary: 'Measurements in the text format of Prometheus, for the operator: from loopback, or with METRICS_TOKEN',
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
      summary: 'What a browser must know of this deployment',
      access: 'public',
      answer: { status: 200, schema: clientConfigSchema },
      serve: async (shop) => ({ body: shop.clientConfig }),
    }),
    defineRoute({
      method: 'GET',
      path: '/openapi.json',
      summary: 'This API as an OpenAPI 3.1 document',
      access: 'public',
      answer: { status: 200, schema: z.record(z.string(), z.unknown()) },
      serve: async () => ({ body: openApi() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/docs',
      summary: 'This API as a page to read',
      access: 'public',
      answer: { status: 200, mediaType: HTML_TYPE },
      serve: async () => ({ body: docs() }),
    }),
  ];
}
