import { type ProblemDetails, problemDetailsSchema } from '@micro-center/services/contracts/problem-details.ts';
import type { ProblemCode } from '@micro-center/services/contracts/problems.ts';

/** The error type of all `shopApi` calls. `status` is the HTTP status, or 0 if there was no response. */
export interface ShopError {
  status: number;
  problem: ProblemDetails;
}

function ownProblem(status: number, title: string): ShopError {
  return { status, problem: { type: 'about:blank', title, status, code: 'internal' } };
}

/** The error for a call that got no response because of a network error or a timeout. */
export const unreachable = (): ShopError =>
  ownProblem(0, 'The shop cannot be reached. Check your connection and try again.');

/** The error for a response that can't be parsed. */
export const unreadable = (status: number): ShopError =>
  ownProblem(status, 'The shop answered in a way this page does not understand. Please reload and try again.');

/**
 * The error for a response with an error status. Contains the problem from the response's body, or a generic problem if
 * the body isn't a valid problem.
 */
export function refusal(status: number, body: unknown): ShopError {
  const parsed = problemDetailsSchema.safeParse(body);
  return parsed.success ? { status, problem: parsed.data } : unreadable(status);
}

/**
 * Returns the problem that `error` contains, or a generic problem if it contains none. The error comes from a query
 * hook or from `unwrap()`.
 */
export function problemOf(error: unknown): ProblemDetails {
  if (typeof error === 'object' && error !== null && 'problem' in error) {
    const parsed = problemDetailsSchema.safeParse(error.problem);
    if (parsed.success) return parsed.data;
  }
  return unreadable(0).problem;
}

/** Returns the error message to show to the user. */
export function problemText(error: unknown): string {
  return problemOf(error).title;
}

export function hasProblemCode(error: unknown, code: ProblemCode): boolean {
  return problemOf(error).code === code;
}

/** Returns a form's inline errors: the server's first message for each field. */
export function fieldErrors(error: unknown): Record<string, string> {
  const byField: Record<string, string> = {};
  for (const { path, message } of problemOf(error).errors ?? []) byField[path] ??= message;
  return byField;
}

const PASSING = new Set([0, 429, 502, 503, 504]);

/** Whether the same call may succeed if it is repeated unchanged. */
export function mayPass(error: unknown): boolean {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && PASSING.has(status);
}
