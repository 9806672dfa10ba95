import { z } from 'zod';
import { toTaka } from '../contracts/money.ts';
import { PROBLEMS, type ProblemCode, type ProblemDetails } from '../contracts/problems.ts';
import type { Refusal, RefusalCode } from '../contracts/refusals.ts';
import { Overloaded } from '../engine/commands/command-handler.ts';
import { KeyMissing } from '../engine/log/key-vault.ts';
import { InvalidCursor, TooManySearches } from '../engine/read-models/read-models.ts';
import { PaymentProviderFailed, PaymentUnavailable } from '../flows/payments/payments.ts';
import { IdentityUnavailable, IdTokenRefused } from '../identity/identity-provider.ts';
import { StoreUnavailable } from '../runtime/store-unavailable.ts';

type FieldErrors = NonNullable<ProblemDetails['errors']>;

/** A request that the API itself refuses. `detail` and `errors` are for the caller to read. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly code: ProblemCode;
  readonly detail: string | undefined;
  readonly errors: FieldErrors | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    about: { detail?: string; errors?: FieldErrors; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(code);
    this.code = code;
    this.detail = about.detail;
    this.errors = about.errors;
    this.headers = about.headers ?? {};
  }
}

/** A command that the rules refused. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** What a zod error says, by field; `prefix` names where the field stands if not in the body. */
export function invalidRequest(error: z.ZodError, prefix = ''): RequestRefused {
  const errors = error.issues.map(({ path, message }) => ({ path: `${prefix}${path.join('.')}`, message }));
  return new RequestRefused('invalid_request', { errors });
}

const RETRY_SOON = { 'Retry-After': '1' };

export function retryAfter(milliseconds: number): Record<string, string> {
  return { 'Retry-After': String(Math.ceil(milliseconds / 1000)) };
}

/** How each refusal of the rules is said over HTTP. */
const OF_REFUSAL: Record<RefusalCode, ProblemCode> = {
  not_found: 'not_found',
  idempotency_key_reused: 'idempotency_key_reused',
  stale_version: 'stale_version',
  price_changed: 'price_changed',
  quantity_out_of_range: 'quantity_out_of_range',
  total_too_large: 'total_too_large',
  too_many_unpaid_orders: 'too_many_unpaid_orders',
  orders_too_fast: 'orders_too_fast',
  reviews_too_fast: 'reviews_too_fast',
  order_not_paid: 'order_not_paid',
  order_paid: 'order_paid',
  order_cancelled: 'order_cancelled',
  payment_superseded: 'stale_version',
  other_account: 'other_account',
  account_closed: 'not_found',
  last_admin: 'last_admin',
};

/** How each error that a part of the shop throws is said over HTTP. */
const OF_ERROR: readonly (readonly [new (...args: never[]) => Error, ProblemCode])[] = [
  [Overloaded, 'overloaded'],
  [TooManySearches, 'overloaded'],
  [StoreUnavailable, 'store_unavailable'],
  [KeyMissing, 'details_unavailable'],
  [IdTokenRefused, 'unauthenticated'],
  [IdentityUnavailable, 'identity_unavailable'],
  [PaymentUnavailable, 'payment_unavailable'],
  [PaymentProviderFailed, 'payment_provider_failed'],
  [InvalidCursor, 'invalid_request'],
  // A path whose percent-encoding is broken names nothing.
  [URIError, 'not_found'],
];

/** How each error of the body parser is said over HTTP, by its `type`. */
const OF_BODY_PARSER: Readonly<Record<string, ProblemCode>> = {
  'entity.parse.failed': 'malformed_json',
  'request.aborted': 'malformed_json',
  'request.size.invalid': 'malformed_json',
  'entity.too.large': 'payload_too_large',
  'encoding.unsupported': 'unsupported_media_type',
  'charset.unsupported': 'unsupported_media_type',
};

/** How each status is said that express, its static files and its parsers refuse a request with. */
const OF_STATUS: Readonly<Record<number, ProblemCode>> = {
  403: 'forbidden',
  404: 'not_found',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
};

/** An error of express and its parts (made by http-errors): `expose` says that the caller is to blame and may read why. */
const exposedErrorSchema = z.object({
  expose: z.literal(true),
  status: z.number().int().min(400).max(499),
  headers: z.record(z.string(), z.string()).optional(),
});

/** Of a command on a lost store: a step of it may have been appended all the same, and a policy will finish it (CMD7). */
const OUTCOME_UNKNOWN = `This may or may not have been done. Send it again with the same Idempotency-Key: it is done once.`;

/** The problem that an error of a request is answered with; null where it is none that the API knows. */
export function problemOf(error: unknown, method: string): RequestRefused | null {
  if (error instanceof StoreUnavailable && method !== 'GET' && method !== 'HEAD') {
    return new RequestRefused('store_unavailable', { headers: RETRY_SOON, detail: OUTCOME_UNKNOWN });
  }
  if (error instanceof RequestRefused) return error;
  if (error instanceof CommandRefused) return ofRefusal(error.refusal);
  const known = OF_ERROR.find(([type]) => error instanceof type);
  if (known) return ofError(known[1], error as Error);
  const type = typeof error === 'object' && error !== null && 'type' in error ? String(error.type) : '';
  const code = OF_BODY_PARSER[type];
  return code ? new RequestRefused(code) : ofExposed(error);
}

/** HTTP1: a request that express itself cannot serve is refused, never a fault of ours. */
function ofExposed(error: unknown): RequestRefused | null {
  const exposed = exposedErrorSchema.safeParse(error);
  if (!exposed.success) return null;
  const { status, headers } = exposed.data;
  return new RequestRefused(OF_STATUS[status] ?? 'malformed_request', headers ? { headers } : {});
}

function ofError(code: ProblemCode, error: Error): RequestRefused {
  const errors = error instanceof InvalidCursor ? [{ path: 'cursor', message: 'This cursor is not valid here.' }] : [];
  const headers = PROBLEMS[code].status === 503 ? RETRY_SOON : challengeOf(code);
  return new RequestRefused(code, { headers, ...(errors.length > 0 && { errors }) });
}

function challengeOf(code: ProblemCode): Record<string, string> {
  return code === 'unauthenticated' ? { 'WWW-Authenticate': 'Bearer' } : {};
}

/** The caller is not known: no bearer, or one that is of no use (any more). */
export function unauthenticated(): RequestRefused {
  return new RequestRefused('unauthenticated', { headers: challengeOf('unauthenticated') });
}

/** The process is stopping: another one, or the next, will do what was asked. */
export function shuttingDown(): RequestRefused {
  return new RequestRefused('shutting_down', { headers: { ...RETRY_SOON, Connection: 'close' } });
}

function ofRefusal(refusal: Refusal): RequestRefused {
  const detail = detailOf(refusal);
  return new RequestRefused(OF_REFUSAL[refusal.code], {
    ...(detail && { detail }),
    ...('retryAfterMs' in refusal && { headers: retryAfter(refusal.retryAfterMs) }),
  });
}

function detailOf(refusal: Refusal): string | undefined {
  switch (refusal.code) {
    case 'price_changed':
      return `The price is ${toTaka(refusal.price)} taka now.`;
    case 'quantity_out_of_range':
      return `At least ${refusal.minorder}, at most ${refusal.stock}.`;
    case 'too_many_unpaid_orders':
      return `You have ${refusal.most} unpaid orders. Pay or cancel one, then order again.`;
    case 'stale_version':
      return `The version is ${refusal.version} now.`;
    case 'not_found':
      return refusal.id === undefined ? undefined : `There is no ${refusal.id}.`;
    default:
      return undefined;
  }
}
