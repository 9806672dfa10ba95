import type { ServerResponse } from 'node:http';
import { PROBLEMS, type Problem, type ProblemCode } from '../contracts/problems.ts';

export interface ProblemExtras {
  readonly detail?: string | undefined;
  readonly errors?: Problem['errors'];
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Sends an application/problem+json response (RFC 9457). Its `type` links to the problem code's entry in /docs. */
export function sendProblem(
  response: ServerResponse,
  code: ProblemCode,
  { detail, errors, headers }: ProblemExtras = {},
): void {
  const { status, title } = PROBLEMS[code];
  const problem: Problem = {
    type: `/docs#${code}`,
    title,
    status,
    code,
    ...(detail !== undefined && { detail }),
    ...(errors && { errors: [...errors] }),
  };
  const body = JSON.stringify(problem);
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
