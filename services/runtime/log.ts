import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export type { Logger } from 'pino';

/** Removed from log lines down to a depth of three: tokens, card data, passwords. */
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

/** One JSON line an entry, on standard error: standard output is for what a person reads. */
export function createLogger(level: Config['logLevel'], destination: DestinationStream = pino.destination(2)): Logger {
  return pino({ level, redact: { paths: REDACTED, censor: '[redacted]' }, base: { pid: process.pid } }, destination);
}
