import { expect, it } from 'vitest';
import { createLogger } from './log.ts';

it('a log line never contains a token, card data or a password', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const secret = 'do-not-print-me';
  logger.info(
    { token: secret, password: secret, req: { headers: { authorization: secret, 'stripe-signature': secret } } },
    'in',
  );
  logger.info({ payment: { card: { number: secret }, clientSecret: secret, client_secret: secret } }, 'out');
  logger.info({ 'stripe-signature': secret, settings: { webhookSecret: secret } }, 'hook');
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toContain(secret);
  expect(lines[0]).toContain('[redacted]');
});

/** This list is written out by hand, so that it doesn't repeat mistakes in the list under test. */
const NEVER_LOGGED = [
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

it.each(NEVER_LOGGED)(
  'a log line never contains the value of a %s field, down to the third level of nesting',
  (field) => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const held = { [field]: 'do-not-print-me' };
    logger.info({ ...held, one: { ...held, two: held } }, 'all');
    expect(lines.join('')).not.toContain('do-not-print-me');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      [field]: '[redacted]',
      one: { [field]: '[redacted]', two: { [field]: '[redacted]' } },
    });
  },
);
