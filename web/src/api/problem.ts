import {
  type ProblemCode,
  type ProblemDetails,
  problemDetailsSchema,
} from '@micro-center/services/contracts/problems.ts';

/** How every failed call of `shopApi` ends. `status` is the HTTP status, 0 where no answer came. */
export interface ShopError {
  status: number;
  problem: ProblemDetails;
}

function ownProblem(status: number, title: string): ShopError {
  return { status, problem: { type: 'about:blank', title, status, code: 'internal' } };
}

/** No answer came: the network, the server or the wait gave up. */
export const unreachable = (): ShopError =>
  ownProblem(0, 'The shop cannot be reached. Check your connection and try again.');

/** An answer came, but not one that this page understands. */
export const unreadable = (status: number): ShopError =>
  ownProblem(status, 'The shop answered in a way this page does not understand. Please reload and try again.');

/** A refused call's error from its body: the server's own problem, or a sentence that stands in for it. */
export function refusal(status: number, body: unknown): ShopError {
  const parsed = problemDetailsSchema.safeParse(body);
  return parsed.success ? { status, problem: parsed.data } : unreadable(status);
}

/** The problem in whatever a hook or `unwrap()` gives as its error. */
export function problemOf(error: unknown): ProblemDetails {
  if (typeof error === 'object' && error !== null && 'problem' in error) {
    const parsed = problemDetailsSchema.safeParse(error.problem);
    if (parsed.success) return parsed.data;
  }
  return unreadable(0).problem;
}

/** The sentence of an error that a person reads. */
export function problemText(error: unknown): string {
  return problemOf(error).title;
}

export function hasProblemCode(error: unknown, code: ProblemCode): boolean {
  return problemOf(error).code === code;
}

/** The inline errors of a form, by field: the first message for each field that the server names. */
export function fieldErrors(error: unknown): Record<string, string> {
  const byField: Record<string, string> = {};
  for (const { path, message } of problemOf(error).errors ?? []) byField[path] ??= message;
  return byField;
}

const PASSING = new Set([0, 429, 502, 503, 504]);

/** Whether the same call may succeed a moment later, without anyone changing anything. */
export function mayPass(error: unknown): boolean {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && PASSING.has(status);
}
