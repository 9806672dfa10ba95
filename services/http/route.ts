import type { z } from 'zod';
import type { ProblemCode } from '../contracts/problems.ts';
import type { CommandMeta } from '../engine/commands/command.ts';
import { isoTime } from '../runtime/clock.ts';
import type { Caller, SignIn } from './authenticate.ts';
import type { ApiDependencies } from './dependencies.ts';

/** Who may call a route, and what the route is told about the caller. */
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

/** What a request is about. `owner` is a user id. A null `document` is a 404, but only for callers who may know that. */
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

/** A request as its route sees it: inputs parsed, caller allowed, target found. */
export interface Exchange<S, P, Q, B, D> {
  readonly session: S;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly document: D;
  /** what was sent in the route's header */
  readonly header: string | undefined;
  readonly requestId: string;
  /** sent by whoever runs the shop (AUTH8) */
  readonly byOperator: boolean;
  readonly url: string;
  /** Returns the id of what a POST creates under its Idempotency-Key (CMD3). @throws RequestRefused 422 where the header is not a key */
  creationId(): string;
}

/** A string and a kept page are sent as they are, the texts of an iterable as the caller takes them, any other body as JSON. */
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
  /** a success: its status, and its shape, or its media type where it is not JSON */
  readonly answer: { readonly status: 200 | 201; readonly schema?: z.core.$ZodType; readonly mediaType?: string };
  /** refusals beyond those that its access and inputs imply */
  readonly problems?: readonly ProblemCode[];
  /** polled by machines, so its rate is limited apart from visitors' (RATE1) */
  readonly probe?: true;
  readonly idempotent?: true;
  readonly target?: Target<P, Q, B, D>;
  serve(shop: ApiDependencies, exchange: Exchange<Sessions[A], P, Q, B, D>): Promise<Answer>;
}

/** A row of the route table. serve-route.ts parses the inputs, so here they are unknown. */
export type Route = RouteShape<Access, unknown, unknown, unknown, unknown>;

export function defineRoute<A extends Access, P = undefined, Q = undefined, B = undefined, D = undefined>(
  route: RouteShape<A, P, Q, B, D>,
): Route {
  return { ...(route.target?.in === 'path' && { params: route.target.params }), ...route };
}

/** The meta of a command sent for a request. The cause is `step:key`; without a key it is this request's alone. */
export function commandMeta(
  { clock }: Pick<ApiDependencies, 'clock'>,
  { requestId, session }: { readonly requestId: string; readonly session: { readonly userId: string } },
  step: string,
  key = requestId,
): CommandMeta {
  return { cause: `${step}:${key}`, actor: session.userId, correlationId: requestId, time: isoTime(clock()) };
}
