import { PROBLEMS, type ProblemCode } from './problems.ts';

/** An error that says which problem a caller of the API gets. */
export interface ProblemError extends Error {
  readonly problem: ProblemCode;
}

export function isProblemError(error: unknown): error is ProblemError {
  return error instanceof Error && 'problem' in error && Object.hasOwn(PROBLEMS, String(error.problem));
}
