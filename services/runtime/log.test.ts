import { expect, it } from 'vitest';
import { createLogger } from './log.ts';

it('a log line never carries a token, card data or a password', () => {
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
