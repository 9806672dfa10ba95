import { createHmac } from 'node:crypto';

/**
 * The id of the user of an e-mail address: 32 hexadecimal digits of its HMAC-SHA-256 under a kept secret, so that the
 * log names a person without holding the address (LOG3). Another secret gives every user another id.
 */
export function userIdOf(email: string, secret: string): string {
  return createHmac('sha256', secret).update(email.trim().toLowerCase()).digest('hex').slice(0, 32);
}
