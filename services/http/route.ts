import type { z } from 'zod';
import type { ProblemCode } from '../contracts/problems.ts';
import type { CommandMeta } from '../engine/commands/command.ts';
import { isoTime } from '../runtime/clock.ts';
import type { Caller, SignIn } from './authenticate.ts';
import type { ApiDependencies } from './dependencies.ts';

/** The access levels of routes. Each maps to the session that a route gets from its caller. */
export interface Sessions {
  readonly public: null;
  readonly 'signed-in': Caller;
  /** the owner of the route's target, or an admin */
  readonly 'owner-or-admin': Caller;
  readonly admin: Caller;
  /** an ID token of the identity provider, or an access token */
  readonly 'id-token-or-user': SignIn;
}
export type Access = keyof Sessions;

/** The target of a request. `owner` is a user id. A null `document` is a 404, but only for callers who may know that. */
export interface Found<D> {
  readonly owner: string | null;
  readonly document: D | null;
}

/** How a route finds its target. A target in the path is found before the body is read. */
export type Target<P, Q, B, D> =
  | {
      readonly in: 'path';
      readonly params: z.ZodType<P>;
      find(shop: ApiDependencies, params: P): Promise<Found<D> | null>;
    }
  | { readonly in: 'query'; find(shop: ApiDependencies, query: Q): Promise<Found<D> | null> }
  | { readonly in: 'body'; find(shop: ApiDependencies, body: B): Promise<Found<D> | null> };

/** A request as its route sees it, after its inputs are parsed, its caller is admitted and its target is found. */
export interface Exchange<S, P, Q, B, D> {
  readonly session: S;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly document: D;
  /** the value of the header that the route declares */
  readonly header: string | undefined;
  readonly requestId: string;
  /** true if the shop's operator sent the request (AUTH8) */
  readonly byOperator: boolean;
  readonly url: string;
  /**
   * Returns the id of the resource that a POST creates under its Idempotency-Key (CMD3). @throws RequestRefused 422 if
   * the header isn't a valid key
   */
  creationId(): string;
}

/**
 * A string or a cached response is sent as it is. The texts of an async iterable are sent as fast as the client reads
 * them. Any other body is sent as JSON.
 */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface RouteShape<A extends Access, P, Q, B, D> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** an Express path, e.g. `/orders/:id` */
  readonly path: string;
  readonly summary: string;
  readonly access: A;
  /** implied by a target in the path */
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.core.$ZodType<B>;
  readonly header?: { readonly name: string; readonly description: string };
  /** the success response: its status, and its schema or, if it is not JSON, its media type */
  readonly answer: { readonly status: 200 | 201; readonly schema?: z.core.$ZodType; readonly mediaType?: string };
  /** refusals in addition to those that the route's access and inputs imply */
  readonly problems?: readonly ProblemCode[];
  /** polled by machines, so its rate limit is separate from the visitors' (RATE1) */
  readonly probe?: true;
  readonly idempotent?: true;
  readonly target?: Target<P, Q, B, D>;
  serve(shop: ApiDependencies, exchange: Exchange<Sessions[A], P, Q, B, D>): Promise<Answer>;
}

/** A row of the route table. serve-route.ts parses the inputs, so their types are unknown here. */
export type Route = RouteShape<Access, unknown, unknown, unknown, unknown>;

export function defineRoute<A extends Access, P = undefined, Q = undefined, B = undefined, D = undefined>(
  route: RouteShape<A, P, Q, B, D>,
): Route {
  return { ...(route.target?.in === 'path' && { params: route.target.params }), ...route };
}

/**
 * Returns the meta of a command sent for a request. The cause is `step:key`. Without a key, the cause is unique to this
 * request.
 */
export function commandMeta(
  { clock }: Pick<ApiDependencies, 'clock'>,
  { requestId, session }: { readonly requestId: string; readonly session: { readonly userId: string } },
  step: string,
  key = requestId,
): CommandMeta {
  return { cause: `${step}:${key}`, actor: session.userId, correlationId: requestId, time: isoTime(clock()) };
}
