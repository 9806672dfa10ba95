import { setTimeout as wait } from 'node:timers/promises';
import express, { type Router } from 'express';
import { z } from 'zod';
import { credentialOf } from './api-keys.ts';
import { faultsSchema, refundStatusSchema } from './faults.ts';
import { forgetPayers } from './forget-payers.ts';
import { parseParams } from './params.ts';
import { changeRefund } from './refunds.ts';
import type { Simulation } from './simulation.ts';

/** How often to check the deliveries while a caller waits for them to settle. */
const POLL_MS = 5;

const deliveriesQuery = z.strictObject({
  /** the maximum time to wait until no delivery is pending or held */
  waitMs: z.coerce.number().int().min(0).max(60_000).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

const forgetParams = z.strictObject({ intents: z.string().transform((ids) => ids.split(',').filter(Boolean)) });

const refundChange = z.strictObject({ status: refundStatusSchema });

/**
 * Serves endpoints that Stripe's API doesn't have: GET and POST /faults (POST replaces all faults), GET /deliveries,
 * POST /refunds/:id, and POST /forget, which erases payers' personal data. All paths are under /simulator and require
 * the secret key. Requests and responses are JSON, except that the request to /forget is form-encoded.
 */
export function createControl(simulation: Simulation, wakeSender: () => void): Router {
  const { settings, deliveries, faults, commit, newId } = simulation;
  const router = express.Router();
  router.use((request, _response, next) => {
    credentialOf(request.get('Authorization'), 'secret', settings);
    next();
  });
  router.get('/faults', (_request, response) => {
    response.json(faults);
  });
  router.post('/faults', express.json(), (request, response) => {
    Object.assign(faults, parseParams(faultsSchema, request.body ?? {}));
    if (faults.reorder === 0) deliveries.release();
    wakeSender();
    response.json(faults);
  });
  router.post('/refunds/:id', express.json(), async (request, response) => {
    const { status } = parseParams(refundChange, request.body ?? {});
    const call = { simulation, publishable: false, requestId: newId('req_'), idempotencyKey: null };
    const changed = await commit(() => changeRefund(call, request.params.id, status));
    wakeSender();
    response.json(changed);
  });
  router.post('/forget', express.urlencoded({ extended: false }), (request, response) => {
    const { intents } = parseParams(forgetParams, request.body ?? {});
    forgetPayers(simulation, intents);
    response.json({ forgotten: intents.length });
  });
  router.get('/deliveries', async (request, response) => {
    const { waitMs, limit } = parseParams(deliveriesQuery, request.query);
    const end = performance.now() + waitMs;
    while (deliveries.unsettled() > 0 && performance.now() < end) await wait(POLL_MS);
    const unsettled = deliveries.unsettled();
    response.json({ settled: unsettled === 0, unsettled, deliveries: deliveries.list(limit) });
  });
  return router;
}
