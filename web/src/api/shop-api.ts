import type { ThunkDispatch } from '@reduxjs/toolkit';
import { createAction } from '@reduxjs/toolkit';
import { type BaseQueryApi, type BaseQueryFn, createApi, retry } from '@reduxjs/toolkit/query/react';
import { useDispatch } from 'react-redux';
import type { UnknownAction } from 'redux';
import { mayPass, refusal, type ShopError, unreachable, unreadable } from './problem.ts';

/** One call to this origin. `path` begins with a slash and includes the query. */
export interface ShopRequest {
  path: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
}

/** From the response headers: the path of the next page, or null on the last. */
export interface ShopMeta {
  next: string | null;
}

/** The API refused this session's token with 401. */
export const sessionRefused = createAction('api/sessionRefused');

/** A call without an answer fails after this long, in milliseconds. */
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

/** `path` with those `params` that are defined. */
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
    // A late 401 for the previous token must not end a renewed session.
    if (response.status === 401 && token !== null && sessionToken(api) === token) api.dispatch(sessionRefused());
    return { error: refusal(response.status, body) };
  }
  return { data: body, meta: { next: nextPath(response.headers.get('link')) } };
};

/** Reads are retried after transient failures; only the person repeats a command. */
const patientQuery = retry(baseQuery, {
  retryCondition: (error, _args, { attempt, baseQueryApi }) =>
    baseQueryApi.type === 'query' && attempt <= READ_RETRIES && mayPass(error),
});

/**
 * The app's one API. Features inject endpoints, each with a `responseSchema`. Queries that follow pushes provide the tag
 * 'Live' with their kind as id, so that one invalidation refetches all of them.
 */
export const shopApi = createApi({
  reducerPath: 'shopApi',
  baseQuery: patientQuery,
  tagTypes: ['Live'],
  // The default, 'delayed', waits for all pending queries: one that hangs would keep every list stale.
  invalidationBehavior: 'immediately',
  catchSchemaFailure: () => unreadable(200),
  endpoints: () => ({}),
});

/** The part of the store's state that this folder knows. */
interface ApiState {
  readonly shopApi: ReturnType<typeof shopApi.reducer>;
}

/** Dispatches actions and thunks of the API. */
export const useAppDispatch = useDispatch.withTypes<ThunkDispatch<ApiState, unknown, UnknownAction>>();
