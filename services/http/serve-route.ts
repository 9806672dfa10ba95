import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { type Authenticator, bearerOf, type Caller, isOperator } from './authenticate.ts';
import type { ApiDependencies } from './dependencies.ts';
import { idempotencyKeyOf, idOfCreation } from './idempotency.ts';
import { invalidRequest, RequestRefused, retryAfter, shuttingDown, unauthenticated } from './problem-details.ts';
import { requestIdOf } from './request-log.ts';
import { CachedResponse } from './response-cache.ts';
import type { Access, Answer, Found, Route, Sessions } from './route.ts';

export const MAX_BODY_BYTES = 102_400;

const jsonParser = express.json({ limit: MAX_BODY_BYTES, inflate: false, reviver: refuseLoneSurrogates });

/** The parts of a request that routes use. A simulation provides them without HTTP. */
export interface RouteRequest {
  readonly params: unknown;
  readonly query: unknown;
  /** path and query */
  readonly url: string;
  /** the client's address */
  readonly ip: string;
  readonly requestId: string;
  /** true if the shop's operator sent the request (AUTH8) */
  readonly byOperator: boolean;
  /** Returns the value of a header, or undefined if the request doesn't contain it. */
  header(name: string): string | undefined;
  /** @throws RequestRefused 415, and any error of the JSON parser */
  readBody(): Promise<unknown>;
}

/** Returns the Express handler for one row of the route table. */
export function serveRoute(route: Route, shop: ApiDependencies, authenticator: Authenticator): RequestHandler {
  return async (request, response) => {
    const answer = await answerRoute(route, shop, authenticator, {
      params: request.params,
      query: request.query,
      url: request.originalUrl,
      ip: request.ip ?? '',
      requestId: requestIdOf(response),
      byOperator: isOperator(request, shop.settings.metricsToken),
      header: (name) => request.get(name),
      readBody: () => readJson(request, response),
    });
    await send(response, route, answer);
  };
}

/**
 * Returns a route's response to a request. Reads the body only after the caller's role and any target in the path or
 * query have been checked. @throws RequestRefused, StoreUnavailable and the other errors that problemOf() knows
 */
export async function answerRoute(
  route: Route,
  shop: ApiDependencies,
  authenticator: Authenticator,
  request: RouteRequest,
): Promise<Answer> {
  const { access, target } = route;
  if (route.method !== 'GET' && shop.isDraining?.()) throw shuttingDown();
  const session = await identify(route, request, shop, authenticator);
  assertRole(access, session);
  let document: unknown;
  const find = async (input: unknown) => {
    if (target) document = documentFor(session, access, await target.find(shop, input));
  };
  const params = parsePath(route.params, request.params);
  if (target?.in === 'path') await find(params);
  const query = parse(route.query, request.query);
  if (target?.in === 'query') await find(query);
  const body = route.body && parse(route.body, await request.readBody());
  if (target?.in === 'body') await find(body);
  const { requestId, byOperator, url } = request;
  return route.serve(shop, {
    session,
    params,
    query,
    body,
    document,
    header: route.header && request.header(route.header.name),
    requestId,
    byOperator,
    url,
    creationId() {
      const key = idempotencyKeyOf(request.header('idempotency-key'), shop.newId);
      const userId = callerOf(session)?.userId ?? '';
      return idOfCreation(shop.secrets.idempotency, { userId, route: `${route.method} ${route.path}`, key });
    },
  });
}

async function identify(
  { access, probe }: Route,
  request: RouteRequest,
  shop: ApiDependencies,
  authenticator: Authenticator,
): Promise<Sessions[Access]> {
  if (access === 'public') {
    await admit(shop, `${probe ? 'probe' : 'address'}:${request.ip}`);
    return null;
  }
  try {
    const session = await sessionOf(access, bearerOf(request.header('authorization')), authenticator);
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

/** @throws RequestRefused 403, 404 */
function documentFor(session: Sessions[Access], access: Access, found: Found<unknown> | null): unknown {
  if (found === null) throw new RequestRefused('not_found');
  const caller = callerOf(session);
  const allowed = access !== 'owner-or-admin' || caller?.role === 'admin' || caller?.userId === found.userId;
  if (!allowed) throw new RequestRefused(caller?.unverifiedAdmin ? 'email_not_verified' : 'forbidden');
  if (found.document === null) throw new RequestRefused('not_found');
  return found.document;
}

/** Parses the path parameters. A malformed id or e-mail address can't identify anything, so the response is a 404 rather than a 422. */
function parsePath(schema: z.ZodType | undefined, params: unknown): unknown {
  const parsed = schema?.safeParse(params);
  if (parsed && !parsed.success) throw new RequestRefused('not_found');
  return parsed?.data;
}

function parse(schema: z.core.$ZodType | undefined, input: unknown): unknown {
  const parsed = schema && z.safeParse(schema, input);
  if (parsed && !parsed.success) throw invalidRequest(parsed.error);
  return parsed?.data;
}

/** Refuses lone surrogates, because no store saves them unchanged. JSON can contain them as escapes (RFC 7493, 2.1). */
function refuseLoneSurrogates(key: string, value: unknown): unknown {
  const half = /\p{Surrogate}/u;
  if (half.test(key) || (typeof value === 'string' && half.test(value))) {
    throw new SyntaxError('A string contains a lone surrogate.');
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

async function send(response: Response, route: Route, { status, headers, body }: Answer): Promise<void> {
  response.status(status ?? route.answer.status);
  response.set('Cache-Control', route.access === 'public' ? 'no-cache' : 'no-store');
  if (headers) response.set(headers);
  if (body instanceof CachedResponse) await body.send(response);
  else if (typeof body === 'string') response.type(route.answer.mediaType ?? 'text/plain').send(body);
  else if (isTexts(body)) await sendTexts(response.type(route.answer.mediaType ?? 'text/plain'), body);
  else response.json(body);
}

function isTexts(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** Reads `texts` only as fast as the client receives them, and stops when the client disconnects. */
async function sendTexts(response: Response, texts: AsyncIterable<string>): Promise<void> {
  if (response.req.method === 'HEAD') return void response.end();
  try {
    await pipeline(Readable.from(texts, { objectMode: false }), response);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

const GONE = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_UNABLE_TO_PIPE', 'ECONNRESET', 'EPIPE'];

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GONE.includes(String(error.code));
}
