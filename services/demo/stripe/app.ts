import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import Stripe from 'stripe';
import { answerOf, answerOnce, answerRead, type Serving, takeOne } from './answer-once.ts';
import { credentialOf } from './api-keys.ts';
import { createControl } from './control.ts';
import { assertPermitted, ENDPOINTS, type Endpoint } from './endpoints.ts';
import { type Answer, invalidRequest, StripeFault, serverFault } from './errors.ts';
import { createIdempotencyKeys } from './idempotency.ts';
import type { Call, Simulation } from './simulation.ts';

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
  if (credential === 'secret') assertPermitted(simulation, endpoint);
  const isPost = endpoint.method === 'post';
  const params = isPost ? formOf(request) : request.query;
  const work = endpoint.prepare(params);
  const key = isPost ? (request.get('Idempotency-Key') ?? null) : null;
  const call: Call = { simulation, publishable: credential === 'publishable', requestId, idempotencyKey: key };
  const id = String(request.params.id ?? '');
  const answerNow = () => answerOf(call, () => work(call, id));
  if (!isPost) {
    send(response, answerRead(simulation, id, answerNow));
    return;
  }
  const endpointName = `POST ${request.path}`;
  const keyed = key === null ? undefined : { credential, key, endpoint: endpointName, params, requestId };
  const answer = await answerOnce(serving, keyed, answerNow);
  if (key !== null) response.set('Idempotency-Key', key);
  if (answer.replayOf !== null) response.set('Idempotent-Replayed', 'true').set('Original-Request', answer.replayOf);
  if (takeOne(simulation.faults, 'lostAnswers')) request.socket.destroy();
  else send(response, answer);
}

/** Sends a response. A 5xx response tells the SDK not to retry, because a POST's retry would only get the same stored response. */
function send(response: Response, { status, body }: Answer): void {
  if (status >= 500) response.set('Stripe-Should-Retry', 'false');
  response.status(status).json(body);
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
