import { createAction } from '@reduxjs/toolkit';
import { type BaseQueryApi, type BaseQueryFn, createApi, retry } from '@reduxjs/toolkit/query/react';
import { mayPass, refusal, type ShopError, unreachable, unreadable } from './problem.ts';

/** One call on this origin. `path` begins with a slash and carries its query. */
export interface ShopRequest {
  path: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
}

/** What an answer's headers say beside its body: the path of the next page, or null on the last. */
export interface ShopMeta {
  next: string | null;
}

/** The bearer of this session was answered with 401: it is of no more use, and whoever keeps it should drop it. */
export const sessionRefused = createAction('api/sessionRefused');

/** A call that has no answer after this long counts as unreachable, in milliseconds. */
const ANSWER_TIMEOUT = 20_000;
const READ_RETRIES = 3;

interface StateWithSession {
  session?: { token: string | null };
}

function sessionToken(api: BaseQueryApi): string | null {
  return (api.getState() as StateWithSession).session?.token ?? null;
}

/** The path of `rel="next"` in a Link header (RFC 8288); null where there is none. */
export function nextPath(link: string | null): string | null {
  const target = link?.match(/<([^>]*)>[^,]*;\s*rel="?next"?/)?.[1];
  if (target === undefined) return null;
  const url = new URL(target, window.location.origin);
  return `${url.pathname}${url.search}`;
}

/** `path` with those of `params` that are defined. */
export function withQuery(path: string, params: Record<string, string | number | boolean | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

async function send(request: ShopRequest, token: string | null, signal: AbortSignal): Promise<Response> {
  const headers = new Headers({ accept: 'application/json', ...request.headers });
  if (request.body !== undefined) headers.set('content-type', 'application/json');
  if (token !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
  return fetch(new URL(request.path, window.location.origin).href, {
    method: request.method ?? 'GET',
    headers,
    body: request.body === undefined ? null : JSON.stringify(request.body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT)]),
  });
}

const baseQuery: BaseQueryFn<ShopRequest | string, unknown, ShopError, object, ShopMeta> = async (args, api) => {
  const request = typeof args === 'string' ? { path: args } : args;
  const token = sessionToken(api);
  let response: Response;
  let text: string;
  try {
    response = await send(request, token, api.signal);
    text = await response.text();
  } catch {
    return { error: unreachable() };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { error: unreadable(response.status) };
  }
  if (!response.ok) {
    // A renewed session must not fall with the answer to a call that its predecessor made.
    if (response.status === 401 && token !== null && sessionToken(api) === token) api.dispatch(sessionRefused());
    return { error: refusal(response.status, body) };
  }
  return { data: body, meta: { next: nextPath(response.headers.get('link')) } };
};

/** Reads are tried again where the failure may pass; commands are repeated by the person alone. */
const patientQuery = retry(baseQuery, {
  retryCondition: (error, _args, { attempt, baseQueryApi }) =>
    baseQueryApi.type === 'query' && attempt <= READ_RETRIES && mayPass(error),
});

/**
 * The one API of the app. Features inject their endpoints, each with a `responseSchema` that parses its answer. Queries
 * that follow pushes provide the tag 'Live' with their kind as id, so that one invalidation brings all of them up to date.
 */
export const shopApi = createApi({
  reducerPath: 'shopApi',
  baseQuery: patientQuery,
  tagTypes: ['Live'],
  // By default RTK Query waits until no call is under way: one that hangs would leave every list as old as it is.
  invalidationBehavior: 'immediately',
  catchSchemaFailure: () => unreadable(200),
  endpoints: () => ({}),
});
