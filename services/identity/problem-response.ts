import type { Response } from 'express';
import { PROBLEMS, type ProblemCode, type ProblemDetails } from '../contracts/problems.ts';

/** Answers a refusal as problem+json (RFC 9457). */
export function sendProblem(response: Response, code: ProblemCode, detail: string): void {
  const { status, title } = PROBLEMS[code];
  const problem: ProblemDetails = { type: 'about:blank', title, status, code, detail };
  response.status(status).type('application/problem+json').send(JSON.stringify(problem));
}
