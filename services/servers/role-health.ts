import express, { type Express } from 'express';
import { isOperator } from '../http/authenticate.ts';
import type { Measurements } from '../process/measurements.ts';
import type { Config } from '../runtime/config.ts';
import { sendProblem } from '../runtime/problem-response.ts';

export function createRoleHealth(
  measurements: Measurements,
  { trustedProxies, metricsToken }: Pick<Config, 'trustedProxies' | 'metricsToken'>,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustedProxies);
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (request, response) => {
    const { ready, checks } = await measurements.readiness();
    response.status(ready ? 200 : 503).json(isOperator(request, metricsToken) ? { ready, checks } : { ready });
  });
  app.get('/metrics', async (request, response) => {
    if (!isOperator(request, metricsToken)) sendProblem(response, 'forbidden');
    else response.type(measurements.registry.contentType).send(await measurements.registry.metrics());
  });
  app.use((_request, response) => sendProblem(response, 'not_found'));
  return app;
}
