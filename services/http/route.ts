import type { z } from 'zod';
import type { ProblemCode } from '../contracts/problems.ts';
import type { CommandMeta } from '../engine/commands/command.ts';
import { isoTime } from '../runtime/clock.ts';
import type { Caller, SignIn } from './authenticate.ts';
import type { ApiDependencies } from './dependencies.ts';

/** Who may call a route, and what the route learns of who calls. */
export interface Sessions {
  readonly public: null;
  readonly 'signed-in': Caller;
  /** the one to whom the route's target belongs, or an admin */
  readonly 'owner-or-admin': Caller;
  readonly admin: Caller;
  /** an ID token of the identity provider, or an access token */
  readonly 'id-token-or-user': SignIn;
}
export type Access = keyof Sessions;

/** What a request is about. `owner` is a user id; null belongs to nobody. Whom a null `document` tells anything is asked first. */
export interface Found<D> {
  readonly owner: string | null;
  readonly document: D | null;
}

/** How a route finds what it is about, and where that is named: what the path names is looked for before the body is read. */
export type Target<P, Q, B, D> =
  | { readonly in: 'path'; find(shop: ApiDependencies, params: P): Promise<Found<D> | null> }
  | { readonly in: 'query'; find(shop: ApiDependencies, query: Q): Promise<Found<D> | null> }
  | { readonly in: 'body'; find(shop: ApiDependencies, body: B): Promise<Found<D> | null> };

/** One request as a route sees it: everything parsed, the caller allowed, the target found. */
export interface Exchange<S, P, Q, B, D> {
  readonly session: S;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly document: D;
  readonly requestId: string;
  /** it comes from whoever runs the shop */
  readonly byOperator: boolean;
  /** path and query as they came */
  readonly url: string;
  /** @throws RequestRefused 422 where the header is not a key */
  idempotencyKey(): string;
}

/** A string body is sent as it is, under `Content-Type`; any other as JSON. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface RouteShape<A extends Access, P, Q, B, D> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express' own form, e.g. `/orders/:id` */
  readonly path: string;
  readonly summary: string;
  readonly access: A;
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.core.$ZodType<B>;
  /** of a success: its status, and its shape, or its media type where it is not JSON */
  readonly answer: { readonly status: 200 | 201; readonly schema?: z.core.$ZodType; readonly mediaType?: string };
  /** what it may be refused with beside what its access and its inputs bring */
  readonly problems?: readonly ProblemCode[];
  /** asked again and again by machines: counted apart from what visitors ask (RATE1) */
  readonly probe?: true;
  /** takes an Idempotency-Key (CMD3) */
  readonly idempotent?: true;
  readonly target?: Target<P, Q, B, D>;
  serve(shop: ApiDependencies, exchange: Exchange<Sessions[A], P, Q, B, D>): Promise<Answer>;
}

/** A row of the route table, its types forgotten: serve-route.ts keeps to them by parsing with its shapes. */
export type Route = RouteShape<Access, unknown, unknown, unknown, unknown>;

/** Types a row by its shapes. */
export function defineRoute<A extends Access, P = undefined, Q = undefined, B = undefined, D = undefined>(
  route: RouteShape<A, P, Q, B, D>,
): Route {
  return route as unknown as Route;
}

/** What travels with a command that a request gives. */
export function commandMeta(
  shop: ApiDependencies,
  exchange: { readonly requestId: string },
  actor: string,
  cause: string,
): CommandMeta {
  return { cause, actor, correlationId: exchange.requestId, time: isoTime(shop.clock()) };
}
