import { createHmac } from 'node:crypto';

/**
 * Returns the user id of an e-mail address. `generation` is 1 for its first account, and one higher for each account
 * that is opened after the previous one was closed. The id is an HMAC, so the log doesn't contain the address (LOG3).
 */
export function userIdOf(email: string, secret: string, generation = 1): string {
  const address = email.trim().toLowerCase();
  // An address can't contain a line break, so two generations never produce the same text.
  const text = generation === 1 ? address : `${address}\n${generation}`;
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
}
