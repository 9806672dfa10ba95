import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ProblemCode } from '../contracts/problems.ts';
import { sendProblem } from './problem-response.ts';

/** In bytes. */
const MAX_BODY = 65_536;

/** Keeps connections to one server for the next call, and ends them before that server does (Node's after 5 s), which could meet a call. */
export function keepConnections(): Agent {
  return new Agent({ keepAlive: true, timeout: 4_000 });
}

/** Before a byte is forwarded: a provider that hangs up would look as if it were down. Returns whether it refused. */
export function refusesBody({ headers }: IncomingMessage, response: ServerResponse): boolean {
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.NaN;
  if (length <= MAX_BODY) return false;
  sendProblem(response, 'payload_too_large', {
    detail: `The body must have a Content-Length of at most ${MAX_BODY} bytes.`,
  });
  return true;
}

/** Answers for a provider that did not; once an answer has begun, only the connection can be ended. */
export function answerForAbsent(response: ServerResponse | Socket, code: ProblemCode, detail: string): void {
  if ('writeHead' in response && !response.headersSent) sendProblem(response, code, { detail });
  else response.destroy();
}
