import { createHmac } from 'node:crypto';

/**
 * The user id of a person: 32 hexadecimal digits of an HMAC-SHA-256 under a kept secret, so that the log names a person
 * without holding the address (LOG3). Another secret gives every user another id. A person is one generation of an
 * e-mail address, counted from 1; the first is the HMAC of the address alone.
 */
export function userIdOf(email: string, secret: string, generation = 1): string {
  const address = email.trim().toLowerCase();
  // No address holds a line break, so that no two of these are the same text.
  const text = generation === 1 ? address : `${address}\n${generation}`;
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
}
