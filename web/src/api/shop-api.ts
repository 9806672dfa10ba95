import { createAction } from '@reduxjs/toolkit';
import { type BaseQueryApi, type BaseQueryFn, createApi, retry } from '@reduxjs/toolkit/query/react';
import { setServerClock } from '../ui/server-clock.ts';
import { mayPass, refusal, type ShopError, unreachable, unreadable } from './problem.ts';

/** One request to this page's origin. `path` starts with a slash and includes the query string. */
export interface ShopRequest {
  path: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
}

/** The parts of a response other than its body. */
interface ShopMeta {
  /** the path of the next page, or null on the last page */
  next: string | null;
  etag: string | null;
  /** whether the ETag sent with the request still matches. If it does, the response has no body. */
  unchanged: boolean;
}

/** Dispatched when the API rejects this session's token with a 401. */
export const sessionRefused = createAction('api/sessionRefused');

/** How long to wait for a response before a call fails, in milliseconds. */
const ANSWER_TIMEOUT = 20_000;
const READ_RETRIES = 3;

interface StateWithSession {
  session?: { token: string | null };
}

export const selectToken = ({ session }: StateWithSession): string | null => session?.token ?? null;

const sessionToken = (api: BaseQueryApi) => selectToken(api.getState() as StateWithSession);

/** Returns the path of the `rel="next"` link in a Link header (RFC 8288), or null if there is none. */
export function nextPath(link: string | null): string | null {
  const target = link?.match(/<([^>]*)>[^,]*;\s*rel="?next"?/)?.[1];
  if (target === undefined) return null;
  const url = new URL(target, window.location.origin);
  return `${url.pathname}${url.search}`;
}

/** Returns `path` with `params` as its query string. Parameters that are undefined are left out. */
export function withQuery(path: string, params: Record<string, string | number | boolean | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** How a page sends requests and waits between them. A simulation provides its own. */
export interface Requests {
  /** @throws any error if no response arrives */
  send?: (request: ShopRequest, token: string | null, signal: AbortSignal) => Promise<ShopResponse>;
  /** resolves when a read whose `attempt`th attempt has failed may be retried */
  backoff?: (attempt: number) => Promise<void>;
}
type ShopResponse = Pick<Response, 'ok' | 'status' | 'text'> & { headers: Pick<Headers, 'get'> };

async function send(request: ShopRequest, token: string | null, signal: AbortSignal): Promise<ShopResponse> {
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

const baseQuery: BaseQueryFn<ShopRequest | string, unknown, ShopError, Requests | undefined, ShopMeta> = async (
  args,
  api,
  own,
) => {
  const request = typeof args === 'string' ? { path: args } : args;
  const token = sessionToken(api);
  let response: ShopResponse;
  let text: string;
  const sent = Date.now();
  try {
    response = await (own?.send ?? send)(request, token, api.signal);
    setServerClock(response.headers.get('date'), sent, Date.now());
    text = await response.text();
  } catch {
    return { error: unreachable() };
  }
  const meta = {
    next: nextPath(response.headers.get('link')),
    etag: response.headers.get('etag'),
    unchanged: response.status === 304,
  };
  if (meta.unchanged) return { data: null, meta };
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
  return { data: body, meta };
};

/** Retries reads after transient failures. Commands are never retried automatically, only by the user. */
const patientQuery = retry(baseQuery, {
  retryCondition: (error, _args, { attempt, baseQueryApi }) =>
    baseQueryApi.type === 'query' && attempt <= READ_RETRIES && mayPass(error),
});

export type ReaderApi = Pick<BaseQueryApi, 'dispatch' | 'getState'> & { extra?: Requests };
export type ReadAnswer = ({ body: unknown } & ShopMeta) | { error: ShopError };

/**
 * Sends one GET request with the same retries as a query, but without the query cache. Used for the data that pushes
 * keep up to date (`web/src/live`).
 */
export async function readShop(
  path: string,
  api: ReaderApi,
  etag: string | null = null,
  own: Record<string, string> = {},
): Promise<ReadAnswer> {
  // If a request has If-None-Match but no Cache-Control header, the browser adds `Cache-Control: no-cache`, and the
  // server then never returns a 304.
  const headers: Record<string, string> =
    etag === null ? own : { ...own, 'if-none-match': etag, 'cache-control': 'max-age=0' };
  const controller = new AbortController();
  const context = {
    ...api,
    signal: controller.signal,
    abort: (reason?: string) => controller.abort(reason),
    extra: undefined,
    endpoint: 'readShop',
    type: 'query' as const,
  };
  const { data, error, meta } = await patientQuery({ path, headers }, context, api.extra ?? {});
  if (error !== undefined || meta === undefined) return { error: error ?? unreadable(0) };
  return { body: data, ...meta };
}

/** The app's only RTK Query API. Features inject endpoints, each with a `responseSchema`. */
export const shopApi = createApi({
  reducerPath: 'shopApi',
  baseQuery: patientQuery,
  catchSchemaFailure: () => unreadable(200),
  endpoints: () => ({}),
});
