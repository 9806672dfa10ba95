import express, { type Router } from 'express';
import { z } from 'zod';
import { type ApiKeys, credentialOf } from './api-keys.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { invalidRequest } from './errors.ts';
import { type Faults, faultsSchema, refundStatusSchema } from './faults.ts';
import type { RefundObject } from './objects.ts';
import type { WebhookSender } from './webhooks.ts';

const deliveriesQuery = z.strictObject({
  /** the longest wait until no delivery is pending or held */
  waitMs: z.coerce.number().int().min(0).max(60_000).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

const forgetParams = z.strictObject({ intents: z.string().transform((ids) => ids.split(',').filter(Boolean)) });

export interface ControlParts {
  keys: ApiKeys;
  deliveries: DeliveryQueue;
  sender: WebhookSender;
  getFaults: () => Faults;
  setFaults: (faults: Faults) => void;
  changeRefund: (id: string, status: RefundObject['status']) => RefundObject;
  forgetPayers: (intents: readonly string[]) => void;
}

const refundChange = z.strictObject({ status: refundStatusSchema });

/**
 * What Stripe has no call for, under /simulator, as JSON, with the secret key: GET and POST /faults (POST replaces all), GET
 * /deliveries, POST /refunds/:id, POST /forget (payers of intents; form-encoded).
 */
export function createControl(parts: ControlParts): Router {
  const { keys, deliveries, sender, getFaults, setFaults, changeRefund, forgetPayers } = parts;
  const router = express.Router();
  router.use((request, _response, next) => {
    credentialOf(request.get('Authorization'), 'secret', keys);
    next();
  });
  router.get('/faults', (_request, response) => {
    response.json(getFaults());
  });
  router.post('/faults', express.json(), (request, response) => {
    const faults = parse(faultsSchema, request.body ?? {});
    setFaults(faults);
    if (faults.reorder === 0) deliveries.release();
    sender.wake();
    response.json(faults);
  });
  router.post('/refunds/:id', express.json(), (request, response) => {
    const { status } = parse(refundChange, request.body ?? {});
    const changed = changeRefund(request.params.id, status);
    sender.wake();
    response.json(changed);
  });
  router.post('/forget', express.urlencoded({ extended: false }), (request, response) => {
    const { intents } = parse(forgetParams, request.body ?? {});
    forgetPayers(intents);
    response.json({ forgotten: intents.length });
  });
  router.get('/deliveries', async (request, response) => {
    const { waitMs, limit } = parse(deliveriesQuery, request.query);
    const settled = await sender.settled(waitMs);
    response.json({ settled, unsettled: deliveries.unsettled(), deliveries: deliveries.list(limit) });
  });
  return router;
}

function parse<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidRequest(z.prettifyError(parsed.error));
}
