import type { z } from 'zod';
import type { ProblemCode } from '../contracts/problems.ts';
import type { CommandMeta } from '../engine/commands/command.ts';
import { isoTime } from '../runtime/clock.ts';
import type { Caller, SignIn } from './authenticate.ts';
import type { ApiDependencies } from './dependencies.ts';

/** The type of session that a route's handler gets at each access level. */
export interface Sessions {
  readonly public: null;
  readonly 'signed-in': Caller;
  /** only for the owner of the route's target and for admins */
  readonly 'owner-or-admin': Caller;
  readonly admin: Caller;
  /** for anyone with an ID token from the identity provider or an access token from the shop */
  readonly 'id-token-or-user': SignIn;
}
export type Access = keyof Sessions;

/**
 * A request's target. `userId` is the id of the user who owns it. If `document` is null, callers with access to the
 * target get a 404 and all other callers get a 403.
 */
export interface Found<D> {
  readonly userId: string | null;
  readonly document: D | null;
}

/** How a route finds its target. A target identified by the path or the query is found before the body is read. */
export type Target<P, Q, B, D> =
  | {
      readonly in: 'path';
      readonly params: z.ZodType<P>;
      find(shop: ApiDependencies, params: P): Promise<Found<D> | null>;
    }
  | { readonly in: 'query'; find(shop: ApiDependencies, query: Q): Promise<Found<D> | null> }
  | { readonly in: 'body'; find(shop: ApiDependencies, body: B): Promise<Found<D> | null> };

/** A request whose inputs have been parsed, whose caller has been authorized and whose target has been found. */
export interface Exchange<S, P, Q, B, D> {
  readonly session: S;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly document: D;
  /** the value of the header that the route declares; undefined if the request doesn't contain that header */
  readonly header: string | undefined;
  readonly requestId: string;
  /** true if the shop's operator sent the request (AUTH8) */
  readonly byOperator: boolean;
  readonly url: string;
  /**
   * Returns the id of the resource that a POST creates, derived from its Idempotency-Key (CMD3).
   * @throws RequestRefused 422 if the key is malformed
   */
  creationId(): string;
}

/**
 * A route's response. A body that is a string or a cached response is sent unchanged. The strings of an async iterable
 * are sent as fast as the client reads them. Any other body is sent as JSON.
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
  /** the path parameters' schema; defaults to the target's schema if the path identifies the target */
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.core.$ZodType<B>;
  readonly header?: { readonly name: string; readonly description: string };
  /** the success response: its status, plus a schema for a JSON body or a media type for any other body */
  readonly answer: { readonly status: 200 | 201; readonly schema?: z.core.$ZodType; readonly mediaType?: string };
  /** the problem codes that this route can return in addition to those implied by its access level and inputs */
  readonly problems?: readonly ProblemCode[];
  /**
   * true for routes that monitoring polls; these routes have their own rate limit, separate from the one for visitors
   * (RATE1)
   */
  readonly probe?: true;
  readonly idempotent?: true;
  readonly target?: Target<P, Q, B, D>;
  serve(shop: ApiDependencies, exchange: Exchange<Sessions[A], P, Q, B, D>): Promise<Answer>;
}

/** A row of the route table. The types of the inputs are unknown until serve-route.ts parses them. */
export type Route = RouteShape<Access, unknown, unknown, unknown, unknown>;

export function defineRoute<A extends Access, P = undefined, Q = undefined, B = undefined, D = undefined>(
  route: RouteShape<A, P, Q, B, D>,
): Route {
  return { ...(route.target?.in === 'path' && { params: route.target.params }), ...route };
}

/**
 * Returns the metadata for a command that is caused by an API request. The command's `cause` is `step:key`, where `key`
 * defaults to the request's id.
 */
export function commandMeta(
  { clock }: Pick<ApiDependencies, 'clock'>,
  { requestId, session }: { readonly requestId: string; readonly session: { readonly userId: string } },
  step: string,
  key = requestId,
): CommandMeta {
  return { cause: `${step}:${key}`, actor: session.userId, correlationId: requestId, time: isoTime(clock()) };
}
