import express, { type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { type Authenticator, bearerOf, type Caller } from './authenticate.ts';
import type { ApiDependencies } from './dependencies.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import { isOperator } from './operator.ts';
import { invalidRequest, RequestRefused, retryAfter, shuttingDown, unauthenticated } from './problem-details.ts';
import { requestIdOf } from './request-id.ts';
import type { Access, Answer, Exchange, Found, Route, Sessions } from './route.ts';

/** The largest body that is read, in bytes. */
export const MAX_BODY_BYTES = 102_400;

const jsonParser = express.json({ limit: MAX_BODY_BYTES, inflate: false, reviver: refuseHalfCharacters });

/**
 * Serves one row of the route table: who calls, whether they may, what it is about, then the inputs, then the route's own
 * work. A body is not read before its sender is known to be allowed.
 */
export function serveRoute(route: Route, shop: ApiDependencies, authenticator: Authenticator): RequestHandler {
  return async (request, response) => {
    if (route.method !== 'GET' && shop.isDraining?.()) throw shuttingDown();
    const session = await identify(route, request, shop, authenticator);
    assertRole(route.access, session);
    const params = parsePath(route.params, request.params);
    const named = await findInPath(route, shop, params, session);
    const query = parse(route.query, request.query, '');
    const body = route.body && parse(route.body, await readJson(request, response), '');
    const found = named ?? (await findInInputs(route, shop, query, body, session));
    const exchange: Exchange<unknown, unknown, unknown, unknown, unknown> = {
      session,
      params,
      query,
      body,
      document: found?.document,
      requestId: requestIdOf(response),
      byOperator: isOperator(request, shop.settings.metricsToken),
      url: request.originalUrl,
      idempotencyKey: () => idempotencyKeyOf(request.get('idempotency-key'), shop.newId),
    };
    send(response, route, await route.serve(shop, exchange as never));
  };
}

async function identify(
  { access, probe }: Route,
  request: Request,
  shop: ApiDependencies,
  authenticator: Authenticator,
): Promise<Sessions[Access]> {
  if (access === 'public') {
    await admit(shop, `${probe ? 'probe' : 'address'}:${request.ip}`);
    return null;
  }
  try {
    const session = await sessionOf(access, bearerOf(request.get('authorization')), authenticator);
    await admit(shop, `user:${callerOf(session)?.userId ?? request.ip}`);
    return session;
  } catch (error) {
    if (error instanceof RequestRefused && error.code === 'too_many_requests') throw error;
    await admit(shop, `address:${request.ip}`);
    throw error;
  }
}

async function sessionOf(access: Access, token: string, authenticator: Authenticator): Promise<Sessions[Access]> {
  if (access === 'id-token-or-user') return authenticator.signIn(token);
  const caller = await authenticator.caller(token);
  if (caller === null) throw unauthenticated();
  return caller;
}

/** @throws RequestRefused 429 */
export async function admit(shop: ApiDependencies, key: string): Promise<void> {
  const admission = await shop.rateLimit?.take(key);
  if (!admission || admission.allowed) return;
  throw new RequestRefused('too_many_requests', { headers: retryAfter(admission.retryAfterMs) });
}

function callerOf(session: Sessions[Access]): Caller | null {
  if (session === null || !('by' in session)) return session;
  return session.by === 'access-token' ? session.caller : null;
}

function assertRole(access: Access, session: Sessions[Access]): void {
  const caller = callerOf(session);
  if (access !== 'admin' || caller?.role === 'admin') return;
  throw new RequestRefused(caller?.unverifiedAdmin ? 'email_not_verified' : 'forbidden');
}

async function findInPath(route: Route, shop: ApiDependencies, params: unknown, session: Sessions[Access]) {
  if (route.target?.in !== 'path') return null;
  return assertMayTouch(route.access, await route.target.find(shop, params), session);
}

async function findInInputs(
  { target, access }: Route,
  shop: ApiDependencies,
  query: unknown,
  body: unknown,
  session: Sessions[Access],
) {
  if (!target || target.in === 'path') return null;
  return assertMayTouch(access, await target.find(shop, target.in === 'query' ? query : body), session);
}

function assertMayTouch<D>(access: Access, found: Found<D> | null, session: Sessions[Access]): Found<D> {
  if (found === null) throw new RequestRefused('not_found');
  const caller = callerOf(session);
  const allowed = access !== 'owner-or-admin' || caller?.role === 'admin' || caller?.userId === found.owner;
  if (!allowed) throw new RequestRefused(caller?.unverifiedAdmin ? 'email_not_verified' : 'forbidden');
  if (found.document === null) throw new RequestRefused('not_found');
  return found;
}

/** A path that cannot name anything names nothing: 404, whatever is wrong with it. */
function parsePath(schema: z.ZodType | undefined, params: unknown): unknown {
  const parsed = schema?.safeParse(params);
  if (parsed && !parsed.success) throw new RequestRefused('not_found');
  return parsed?.data;
}

function parse(schema: z.core.$ZodType | undefined, input: unknown, prefix: string): unknown {
  const parsed = schema && z.safeParse(schema, input);
  if (parsed && !parsed.success) throw invalidRequest(parsed.error, prefix);
  return parsed?.data;
}

/**
 * JSON can spell half of a surrogate pair, which is no text (RFC 7493, 2.1): each store would keep it as something else.
 * @throws SyntaxError, so that it is refused as the rest of what is no JSON
 */
function refuseHalfCharacters(key: string, value: unknown): unknown {
  const half = /\p{Surrogate}/u;
  if (half.test(key) || (typeof value === 'string' && half.test(value))) {
    throw new SyntaxError('A text holds half of a surrogate pair.');
  }
  return value;
}

async function readJson(request: Request, response: Response): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const hasBody = encoding !== undefined || Number(length ?? 0) > 0;
  if (!hasBody) return undefined;
  if (!request.is('application/json')) throw new RequestRefused('unsupported_media_type');
  await new Promise<void>((resolve, reject) => {
    jsonParser(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  return request.body;
}

function send(response: Response, route: Route, answer: Answer): void {
  response.status(answer.status ?? route.answer.status);
  response.set('Cache-Control', route.access === 'public' ? 'no-cache' : 'no-store');
  if (answer.headers) response.set(answer.headers);
  if (typeof answer.body === 'string') response.type(route.answer.mediaType ?? 'text/plain').send(answer.body);
  else response.json(answer.body);
}
