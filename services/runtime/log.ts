import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export type { Logger } from 'pino';

/**
 * The names of fields that hold tokens, card data or passwords. Their values are redacted from log entries, down to a
 * nesting depth of three.
 */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'accessToken',
  'idToken',
  'refreshToken',
  'secret',
  'secretKey',
  'webhookSecret',
  'clientSecret',
  'client_secret',
  'card',
  'number',
  'cvc',
  'stripe-signature',
];

const REDACTED = SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]);

/** Creates a logger that writes one JSON line per entry to standard error. Standard output is reserved for text that people read. */
export function createLogger(level: Config['logLevel'], destination: DestinationStream = pino.destination(2)): Logger {
  return pino({ level, redact: { paths: REDACTED, censor: '[redacted]' }, base: { pid: process.pid } }, destination);
}
