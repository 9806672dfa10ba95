import { z } from 'zod';
import { toTaka } from '../contracts/money.ts';
import { isProblemError } from '../contracts/problem-error.ts';
import { PROBLEMS, type Problem, type ProblemCode } from '../contracts/problems.ts';
import type { Refusal, RefusalCode } from '../contracts/refusals.ts';
import { Overloaded } from '../engine/commands/command-handler.ts';
import { KeyMissing } from '../engine/log/key-vault.ts';
import { InvalidCursor } from '../engine/read-models/cursor.ts';
import { TooManySearches } from '../engine/read-models/read-models.ts';
import { IdentityUnavailable, IdTokenRefused } from '../identity/identity-provider.ts';
import { StoreUnavailable } from '../runtime/store-unavailable.ts';

type FieldErrors = NonNullable<Problem['errors']>;

/** A request that the API refuses. `detail` and `errors` are shown to the caller. */
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

/** Returns a 422 that lists the issues of a zod error by field. Each field's path starts with `prefix`. */
export function invalidRequest(error: z.ZodError, prefix = ''): RequestRefused {
  const errors = error.issues.map(({ path, message }) => ({ path: `${prefix}${path.join('.')}`, message }));
  return new RequestRefused('invalid_request', { errors });
}

const RETRY_SOON = { 'Retry-After': '1' };

export function retryAfter(milliseconds: number): Record<string, string> {
  return { 'Retry-After': String(Math.ceil(milliseconds / 1000)) };
}

/** The problem code for each class of error that names none itself (ProblemError). */
const OF_ERROR: readonly (readonly [new (...args: never[]) => Error, ProblemCode])[] = [
  [Overloaded, 'overloaded'],
  [TooManySearches, 'overloaded'],
  [StoreUnavailable, 'store_unavailable'],
  [KeyMissing, 'details_unavailable'],
  [IdTokenRefused, 'unauthenticated'],
  [IdentityUnavailable, 'identity_unavailable'],
  [InvalidCursor, 'invalid_request'],
  // thrown for malformed percent-encoding in a path
  [URIError, 'not_found'],
];

/** The body parser's error types for a body that isn't complete, valid JSON. */
const NO_JSON = ['entity.parse.failed', 'request.aborted', 'request.size.invalid'];

/** Maps the status of an error from Express or its middleware to a problem code. */
const OF_STATUS: Readonly<Record<number, ProblemCode>> = {
  403: 'forbidden',
  404: 'not_found',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
};

/** An error created by http-errors. `expose` means that the error is the caller's fault. */
const exposedErrorSchema = z.object({
  expose: z.literal(true),
  type: z.string().optional(),
  status: z.number().int().min(400).max(499),
  headers: z.record(z.string(), z.string()).optional(),
});

/**
 * The message sent to the caller if a store becomes unavailable during a write. The write may have succeeded even if
 * the connection to the store was lost (CMD7).
 */
const OUTCOME_UNKNOWN = `This may or may not have been done. Send it again with the same Idempotency-Key, and it is done only once.`;

/** Maps an error to a problem response (RFC 9457). Returns null for an unknown error, which becomes a 500. */
export function problemOf(error: unknown, method: string): RequestRefused | null {
  if (error instanceof StoreUnavailable && method !== 'GET' && method !== 'HEAD') {
    return new RequestRefused('store_unavailable', { headers: RETRY_SOON, detail: OUTCOME_UNKNOWN });
  }
  if (error instanceof RequestRefused) return error;
  if (isProblemError(error)) return ofError(error.problem, error);
  const known = OF_ERROR.find(([type]) => error instanceof type);
  return known ? ofError(known[1], error as Error) : ofExposed(error);
}

/**
 * Returns the problem response for an error that Express or its middleware marks as the caller's fault. Such an error
 * must not become a 500 (HTTP1). Returns null for any other error.
 */
function ofExposed(error: unknown): RequestRefused | null {
  const exposed = exposedErrorSchema.safeParse(error);
  if (!exposed.success) return null;
  const { status, type = '', headers } = exposed.data;
  if (NO_JSON.includes(type)) return new RequestRefused('malformed_json');
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

export function unauthenticated(): RequestRefused {
  return new RequestRefused('unauthenticated', { headers: challengeOf('unauthenticated') });
}

export function shuttingDown(): RequestRefused {
  return new RequestRefused('shutting_down', { headers: { ...RETRY_SOON, Connection: 'close' } });
}

/** Returns the problem response (RFC 9457) for a command that the decider refused. */
export function commandRefused(refusal: Refusal): RequestRefused {
  const detail = detailOf(refusal);
  return new RequestRefused(problemCodeOf(refusal.code), {
    ...(detail && { detail }),
    ...('retryAfterMs' in refusal && { headers: retryAfter(refusal.retryAfterMs) }),
  });
}

/** Maps a decider's refusal code to a problem code. */
export function problemCodeOf(code: RefusalCode): ProblemCode {
  if (code === 'payment_superseded') return 'stale_version';
  return code === 'account_closed' ? 'not_found' : code;
}

function detailOf(refusal: Refusal): string | undefined {
  switch (refusal.code) {
    case 'price_changed':
      return `The price is ${toTaka(refusal.price)} taka now.`;
    case 'refund_too_large':
      return `At most ${toTaka(refusal.left)} taka is left.`;
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
