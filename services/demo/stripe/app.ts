import { setTimeout as wait } from 'node:timers/promises';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import Stripe from 'stripe';
import { type ApiKeys, credentialOf } from './api-keys.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { type Answer, invalidRequest, StripeFault, serverFault, unknownUrl } from './errors.ts';
import type { Faults } from './faults.ts';
import type { Commit } from './group-commit.ts';
import type { IdempotencyKeys, KeyedCall, StoredAnswer } from './idempotency.ts';
import type { Call, Simulation } from './simulation.ts';

export interface AppParts {
  simulation: Simulation;
  keys: ApiKeys;
  idempotency: IdempotencyKeys;
  commit: Commit;
  committed: () => void;
  /** counts are used up in place */
  faults: () => Faults;
  control: express.Router;
  onError: (error: unknown) => void;
}

export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'extended');
  app.use('/simulator', parts.control);
  app.use(express.urlencoded({ extended: true, limit: '100kb' }));
  for (const endpoint of ENDPOINTS) {
    const route = endpoint.method === 'GET' ? app.get.bind(app) : app.post.bind(app);
    route(endpoint.path, (request, response) => serve(parts, endpoint, request, response));
  }
  app.use((request) => {
    throw unknownUrl(request.method, request.path);
  });
  app.use(answerFault(parts.onError));
  return app;
}

async function serve(parts: AppParts, endpoint: Endpoint, request: Request, response: Response): Promise<void> {
  const { simulation, keys, faults } = parts;
  const requestId = simulation.newId('req_');
  response.set('Request-Id', requestId).set('Stripe-Version', request.get('Stripe-Version') ?? Stripe.API_VERSION);
  const credential = credentialOf(request.get('Authorization'), endpoint.access, keys);
  const params = paramsOf(request, endpoint.method);
  const work = endpoint.prepare(params);
  const key = endpoint.method === 'POST' ? (request.get('Idempotency-Key') ?? null) : null;
  const call: Call = { simulation, publishable: credential === 'publishable', requestId, idempotencyKey: key };
  const id = String(request.params.id ?? '');
  if (endpoint.method === 'GET') {
    response.json(work(call, id));
    return;
  }
  const endpointName = `POST ${request.path}`;
  const keyed = key === null ? undefined : { credential, key, endpoint: endpointName, params, requestId };
  const answer = await answerOnce(parts, keyed, response, () => work(call, id));
  if (!takeOne(faults(), 'lostAnswers')) response.status(answer.status).json(answer.body);
  else request.socket.destroy();
}

/** A repeat of the idempotency key gets the first answer, refusals included. */
async function answerOnce(
  parts: AppParts,
  keyed: KeyedCall | undefined,
  response: Response,
  work: () => object,
): Promise<Answer> {
  const { idempotency, commit, committed, faults } = parts;
  const stored = keyed && idempotency.recall(keyed);
  if (keyed) response.set('Idempotency-Key', keyed.key);
  if (stored) return replay(response, stored);
  if (faults().apiDelayMs > 0) {
    const letGo = keyed && idempotency.hold(keyed);
    await wait(faults().apiDelayMs).finally(letGo);
  }
  const { first, made } = await commit(() => {
    // The same call beside this one may have been answered meanwhile.
    const first = keyed && idempotency.recall(keyed);
    if (first) return { first, made: first };
    const made = takeOne(faults(), 'apiFailures') ? serverFault().toAnswer() : answerOf(work);
    if (keyed) idempotency.remember(keyed, made);
    return { made };
  });
  if (first) return replay(response, first);
  committed();
  return withRetryAdvice(response, made);
}

function replay(response: Response, first: StoredAnswer): Answer {
  response.set('Idempotent-Replayed', 'true').set('Original-Request', first.requestId);
  return withRetryAdvice(response, first);
}

/** A refusal is stored like any answer: a declined card leaves its failed charge behind. */
function answerOf(work: () => object): Answer {
  try {
    return { status: 200, body: work() };
  } catch (error) {
    if (error instanceof StripeFault) return error.toAnswer();
    throw error;
  }
}

/** A stored 500 would only be replayed, so the SDK is told not to retry. */
function withRetryAdvice(response: Response, answer: Answer): Answer {
  if (answer.status >= 500) response.set('Stripe-Should-Retry', 'false');
  return answer;
}

function takeOne(faults: Faults, knob: 'apiFailures' | 'lostAnswers'): boolean {
  if (faults[knob] === 0) return false;
  faults[knob] -= 1;
  return true;
}

function paramsOf(request: Request, method: Endpoint['method']): unknown {
  if (method === 'GET') return request.query;
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

/** Express and its parsers throw errors with a `status`; 4xx is the caller's mistake. */
function faultOf(error: unknown): StripeFault {
  if (error instanceof StripeFault) return error;
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  return status >= 400 && status < 500 ? invalidRequest('The request could not be parsed.') : serverFault();
}
