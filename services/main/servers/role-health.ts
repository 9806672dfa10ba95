import express, { type Express } from 'express';
import { sendProblem } from '../../runtime/problem-response.ts';
import type { Measurements } from '../shop/measurements.ts';

/** What a role that serves no API answers over HTTP: /healthz, /readyz and /metrics, as the API does. */
export function createRoleHealth(measurements: Measurements): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const readiness = await measurements.readiness();
    response.status(readiness.ready ? 200 : 503).json(readiness);
  });
  app.get('/metrics', async (_request, response) => {
    response.type(measurements.registry.contentType).send(await measurements.registry.metrics());
  });
  app.use((_request, response) => sendProblem(response, 'not_found'));
  return app;
}
