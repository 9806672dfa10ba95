import { setTimeout as wait } from 'node:timers/promises';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import Stripe from 'stripe';
import { credentialOf } from './api-keys.ts';
import { createControl } from './control.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { type Answer, invalidRequest, StripeFault, serverFault } from './errors.ts';
import type { Faults } from './faults.ts';
import { createIdempotencyKeys, type IdempotencyKeys, type KeyedCall } from './idempotency.ts';
import type { Call, Simulation } from './simulation.ts';

interface Serving {
  simulation: Simulation;
  idempotency: IdempotencyKeys;
  wakeSender: () => void;
}

export function createApp(simulation: Simulation, wakeSender: () => void, onError: (error: unknown) => void): Express {
  const serving = { simulation, idempotency: createIdempotencyKeys(simulation), wakeSender };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'extended');
  app.use('/simulator', createControl(simulation, wakeSender));
  app.use(express.urlencoded({ extended: true, limit: '100kb' }));
  for (const endpoint of ENDPOINTS) {
    app.route(endpoint.path)[endpoint.method]((request, response) => serve(serving, endpoint, request, response));
  }
  app.use(({ method, path }) => {
    throw invalidRequest(`Unrecognized request URL (${method}: ${path}).`, {}, 404);
  });
  app.use(answerFault(onError));
  return app;
}

async function serve(serving: Serving, endpoint: Endpoint, request: Request, response: Response): Promise<void> {
  const { simulation } = serving;
  const requestId = simulation.newId('req_');
  response.set('Request-Id', requestId).set('Stripe-Version', request.get('Stripe-Version') ?? Stripe.API_VERSION);
  const credential = credentialOf(request.get('Authorization'), endpoint.access, simulation.settings);
  const isPost = endpoint.method === 'post';
  const params = isPost ? formOf(request) : request.query;
  const work = endpoint.prepare(params);
  const key = isPost ? (request.get('Idempotency-Key') ?? null) : null;
  const call: Call = { simulation, publishable: credential === 'publishable', requestId, idempotencyKey: key };
  const answerNow = () => answerOf(call, () => work(call, String(request.params.id ?? '')));
  if (!isPost) {
    send(response, answerNow());
    return;
  }
  const endpointName = `POST ${request.path}`;
  const keyed = key === null ? undefined : { credential, key, endpoint: endpointName, params, requestId };
  const answer = await answerOnce(serving, keyed, response, answerNow);
  if (takeOne(simulation.faults, 'lostAnswers')) request.socket.destroy();
  else send(response, answer);
}

/**
 * Runs a call. If the call's idempotency key has been used before, returns the first call's response instead, even if
 * that response was a refusal.
 * @throws 409 while the first call is in progress
 */
async function answerOnce(
  { simulation, idempotency, wakeSender }: Serving,
  keyed: KeyedCall | undefined,
  response: Response,
  answerNow: () => Answer,
): Promise<Answer> {
  const { commit, faults } = simulation;
  const first = keyed && idempotency.recall(keyed);
  if (keyed) response.set('Idempotency-Key', keyed.key);
  if (first) {
    response.set('Idempotent-Replayed', 'true').set('Original-Request', first.requestId);
    return first;
  }
  const letGo = keyed && idempotency.hold(keyed);
  try {
    if (faults.apiDelayMs > 0) await wait(faults.apiDelayMs);
    return await commit(() => {
      const answer = takeOne(faults, 'apiFailures') ? serverFault().toAnswer() : answerNow();
      if (keyed) idempotency.remember(keyed, answer);
      return answer;
    });
  } finally {
    letGo?.();
    wakeSender();
  }
}

/**
 * Returns a refusal instead of throwing it, so that the call's writes are committed. For example, a declined card
 * leaves a failed charge.
 */
function answerOf(call: Call, work: () => object): Answer {
  const { status, body } = attempt(work);
  return { status, body: call.publishable ? withoutShopFields(body) : body };
}

function attempt(work: () => object): Answer {
  try {
    return { status: 200, body: work() };
  } catch (error) {
    if (error instanceof StripeFault) return error.toAnswer();
    throw error;
  }
}

const SHOP_FIELDS = ['metadata', 'latest_charge', 'amount_received', 'customer'];

/** Removes the intent fields that browsers must not see. */
function withoutShopFields(body: object): object {
  return JSON.parse(JSON.stringify(body), (_name, value) => {
    if (value?.object !== 'payment_intent') return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !SHOP_FIELDS.includes(name)));
  });
}

/** Sends a response. A 5xx response tells the SDK not to retry, because a retry would only get the same stored response. */
function send(response: Response, { status, body }: Answer): void {
  if (status >= 500) response.set('Stripe-Should-Retry', 'false');
  response.status(status).json(body);
}

function takeOne(faults: Faults, knob: 'apiFailures' | 'lostAnswers'): boolean {
  if (faults[knob] === 0) return false;
  faults[knob] -= 1;
  return true;
}

function formOf(request: Request): unknown {
  if (request.is('application/x-www-form-urlencoded') === false && Number(request.get('Content-Length') ?? 0) > 0) {
    throw invalidRequest('Invalid request content type: parameters must be form-encoded.');
  }
  return request.body ?? {};
}

function answerFault(onError: (error: unknown) => void): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const fault = faultOf(error);
    if (fault.status >= 500) onError(error);
    const { status, body } = fault.toAnswer();
    response.status(status).json(body);
  };
}

/**
 * Converts an error to a fault. Errors from Express and its parsers have a `status`, and a 4xx status means that the
 * caller made a mistake.
 */
function faultOf(error: unknown): StripeFault {
  if (error instanceof StripeFault) return error;
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  return status >= 400 && status < 500 ? invalidRequest('The request could not be parsed.') : serverFault();
}
