import { createHmac } from 'node:crypto';

/** The user id of one generation of an e-mail address, from 1: an HMAC, so that the log does not hold the address (LOG3). */
export function userIdOf(email: string, secret: string, generation = 1): string {
  const address = email.trim().toLowerCase();
  // No address holds a line break, so no two generations share a text.
  const text = generation === 1 ? address : `${address}\n${generation}`;
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
}
